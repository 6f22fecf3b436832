import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { TestServer } from '../harness.js';
import { Exchange, type Reply } from './exchange.js';
import type { Draft } from './inputs/draft.js';
import { type Request, toCurl, write } from './inputs/request.js';
import { Broken, judge, leakedOf } from './judge.js';
import type { Operation } from './operations/operation.js';
import { seesAll } from './world/people.js';
import { World } from './world/world.js';

/** The extent of a run. */
export interface Plan {
  /** Requests per operation. */
  readonly requests: number;
  readonly seed: number;
}

/** Concurrent requests. */
const IN_FLIGHT = 8;

/**
 * Tries every operation, several concurrently; `tried` is called for each that is done. Returns one report
 * for each that broke a promise.
 */
export async function runOperations(
  server: TestServer,
  operations: readonly Operation[],
  plan: Plan,
  tried: (operation: Operation) => void = () => {},
): Promise<string[]> {
  const world = new World(server);
  const exchange = new Exchange(`http://127.0.0.1:${server.app.address.port}`);
  const queue = [...operations];
  const reports: string[] = [];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const report = await tryOperation(next, world, exchange, plan);
      if (report !== null) reports.push(report);
      tried(next);
    }
  };
  try {
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  } finally {
    exchange.close();
  }
  return reports;
}

/** Tries one operation and reduces what fails to the smallest case. Returns null if every promise is kept. */
async function tryOperation(
  operation: Operation,
  world: World,
  exchange: Exchange,
  { requests, seed }: Plan,
): Promise<string | null> {
  let last: { readonly request: Request; readonly error: unknown } | null = null;
  const property = fc.asyncProperty(operation.drafts, async (draft) => {
    const request = await realise(draft, world);
    try {
      await tryRequest(operation, draft, request, world, exchange);
    } catch (error) {
      last = { request, error };
      throw error;
    }
  });
  // Seeded by the name, so that an operation tried alone gets the same requests.
  const own = Number.parseInt(hash('sha256', `${seed} ${operation.name}`).slice(0, 7), 16);
  const numRuns = Math.ceil(requests * operation.share);
  const { failed, errorInstance } = await fc.check(property, { numRuns, seed: own });
  if (!failed) return null;
  // Only sent requests can break a promise; one that could not be encoded must not count as a promise kept.
  if (last === null)
    throw new Error(`${operation.name} could not be tried: ${String(errorInstance)}`, {
      cause: errorInstance,
    });
  const { request, error } = last as { request: Request; error: unknown };
  const word = error instanceof Broken ? error.message : error instanceof Error ? error.stack : String(error);
  const again = `npm run test:fuzz -- --seed=${seed} --requests=${requests} --only='${operation.name}'`;
  return `${operation.name}: ${word}\n${toCurl(exchange.origin, request)}\n${again}`;
}

/**
 * How often a request is encoded again if a thing it refers to disappeared meanwhile: while several operations that end
 * accounts are tried side by side, an account lives hardly longer than it takes to make a thing for it.
 */
const ATTEMPTS = 100;

/** The request of a draft, with real things in place of tokens. */
async function realise(draft: Draft, world: World): Promise<Request> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeOut(draft, world);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      world.doubtAll();
    }
  }
}

async function writeOut(draft: Draft, world: World): Promise<Request> {
  const put = (value: unknown) => replaceTokens(value, (token) => world.resolve(token, draft.persona));
  const [real, credentials] = await Promise.all([put(draft), world.people.credentialsOf(draft.persona)]);
  return write(real as Draft, credentials);
}

const TOKEN = /«([\w.]+)»/g;

/** The same value with every token replaced, also inside texts. */
async function replaceTokens(value: unknown, replace: (token: string) => Promise<unknown>): Promise<unknown> {
  if (typeof value === 'string') {
    if (!value.includes('«')) return value;
    const tokens = Array.from(value.matchAll(TOKEN), ([, name = '']) => name);
    if (value === `«${tokens[0]}»`) return replace(tokens[0] ?? '');
    const names = new Map(
      await Promise.all(tokens.map(async (name) => [name, await replace(name)] as const)),
    );
    return value.replace(TOKEN, (_, name: string) => String(names.get(name)));
  }
  // Deep and long values are hostile ones, which contain no tokens.
  if (Array.isArray(value) && value.length < 100)
    return Promise.all(value.map((one) => replaceTokens(one, replace)));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(async ([name, one]) => [name, await replaceTokens(one, replace)]);
  return Object.fromEntries(await Promise.all(entries));
}

const tokensOf = (draft: Draft): string[] =>
  Array.from(JSON.stringify(draft).matchAll(TOKEN), ([, token = '']) => token);

async function tryRequest(
  operation: Operation,
  draft: Draft,
  request: Request,
  world: World,
  exchange: Exchange,
): Promise<void> {
  const caller = await world.people.of(draft.persona);
  const reply = await exchange.send(request);
  if (request.method !== 'GET' && request.method !== 'HEAD' && reply.status < 400) {
    if (operation.touchesAccounts) world.doubtAll();
    else world.doubt(tokensOf(draft));
  }
  judge(request, reply, operation.expect(request));
  await judgeSecrecy(draft, request, reply, world, caller);
}

async function judgeSecrecy(
  draft: Draft,
  request: Request,
  reply: Reply,
  world: World,
  caller: Awaited<ReturnType<World['people']['of']>>,
): Promise<void> {
  if (seesAll(draft.persona) || tokensOf(draft).some((token) => token.startsWith('password.'))) return;
  const leaked = leakedOf(request, reply, await world.secrets());
  if (leaked === null) return;
  // The role of an account may have changed meanwhile.
  if (caller !== null && !(await world.people.isHimself(caller))) return;
  throw new Broken(`${draft.persona} reads ${leaked}: ${reply.status} ${reply.text.slice(0, 300)}`);
}
