import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '../../routers/core/context.js';
import { requireCaller } from '../../routers/core/trpc.js';
import { callProcedure } from '../../routers/index.js';
import { applyCookies } from '../cookies.js';
import { failureOf, isOurFault } from '../failure.js';
import type { Fields } from '../fields.js';
import { write } from '../handle.js';
import { fieldsOf } from '../receive/encoded.js';
import { showKey } from '../receive/multipart.js';
import { receiving } from '../receive/receive.js';
import { writeSimple } from '../reply/write.js';
import type { AdapterOptions } from '../router.js';
import { routes } from '../routes/index.js';
import { headerOf, wireOf } from '../wire.js';
import type { Door, Entrance } from './door.js';
import { DOORS } from './index.js';
import { DOOR_NAMES, type DoorName } from './names.js';

interface Mounted {
  readonly name: DoorName;
  readonly door: Door;
  readonly entrance: Entrance;
  readonly pattern: RegExp;
}

const segmentOf = (path: string): string => path.toLowerCase().split('/', 2)[1] ?? '';
/** Whether a path begins with whatever the client calls something. */
const isNamed = ({ path }: Entrance): boolean => path.startsWith('/{');

/** First segments of what this service, or any door, answers itself: no name of a client. */
const ownSegments = (): ReadonlySet<string> =>
  new Set([
    ...['v1', 'web', 'trpc', 'r', 'qr', 'ws', 'files', 'domains', '.well-known', 'metrics'],
    ...routes.filter(({ atRoot }) => atRoot).map(({ path }) => segmentOf(path)),
    ...Object.values(DOORS).flatMap(({ entrances }) =>
      entrances.filter((entrance) => !isNamed(entrance)).map(({ path }) => segmentOf(path)),
    ),
  ]);

/**
 * Serves the doors that are open at the root. A path, or a method of one, that no door knows is left to `next`. GETs take no session cookie,
 * because some products create by GET. `named`: serves what has a name of the client as its first segment, which comes
 * behind all that this service answers itself.
 */
export function serveDoors(
  isOpen: (name: DoorName) => boolean,
  options: AdapterOptions,
  { named }: { readonly named: boolean },
): Middleware {
  const own = ownSegments();
  const mounted = new Map<string, Mounted[]>();
  for (const name of DOOR_NAMES) {
    const door = DOORS[name];
    for (const entrance of door.entrances) {
      if (isNamed(entrance) !== named) continue;
      const segment = named ? '' : segmentOf(entrance.path);
      mounted.set(segment, [
        ...(mounted.get(segment) ?? []),
        { name, door, entrance, pattern: patternOf(entrance) },
      ]);
    }
  }
  return async (koa, next) => {
    const segment = segmentOf(koa.path);
    if (named && own.has(segment)) return next();
    for (const { name, door, entrance, pattern } of mounted.get(named ? '' : segment) ?? []) {
      if (!isOpen(name)) continue;
      const match = entrance.method === koa.method ? pattern.exec(koa.path) : null;
      const params = match === null ? null : decoded(match.groups ?? {});
      if (params === null) continue;
      koa.params = params;
      if (await enter(door, entrance, koa, options)) return undefined;
    }
    return next();
  };
}

const patternOf = ({ path }: Entrance): RegExp => {
  const named = path
    .replaceAll('.', '\\.')
    .replace(/\{(\w+)\+\}/g, '(?<$1>.+?)')
    .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const whole = path === '/' ? named : `${named}/?`;
  return new RegExp(`^${whole}$`, 'i');
};

/** Parameters of a path; null if they are no text. */
function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | null {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return null;
  }
}

/** Answers a request; false if the entrance leaves it to others. */
async function enter(
  door: Door,
  entrance: Entrance,
  koa: KoaContext,
  options: AdapterOptions,
): Promise<boolean> {
  const ctx = options.contextOf(koa);
  let fields = fieldsOf(koa.search);
  let isReceived = false;
  try {
    narrowCredentials(door, entrance, ctx, koa);
    const showDoorKey = (shown: Fields) =>
      showKey(
        ctx,
        door.keyIn?.(shown, (name) => headerOf(koa.req, name)),
      );
    showDoorKey(fields);
    // No form carries a key then, so nothing of the body is needed to refuse it.
    if (door.authorizedOnly && !entrance.open) await requireCaller(ctx);
    const [procedure] = entrance.procedures.length === 1 ? entrance.procedures : [];
    const reception = {
      ...{ body: entrance.body, admit: entrance.admit, procedure: procedure ?? null },
      credentials: entrance.open ? [] : (['apiKey'] as const),
    };
    return await receiving(reception, ctx, koa, async (received) => {
      isReceived = true;
      const wire = wireOf(koa.req, koa.params, koa.search, received);
      fields = wire.body.over(wire.query);
      showDoorKey(fields);
      if (!entrance.open) await requireCaller(ctx);
      const call = async (name: string, input: unknown) => callProcedure(ctx, name, input);
      const visit = { call: call as never, wire, fields, settings: ctx.app.settings, ctx };
      const reply = await entrance.answer(visit);
      if (reply === null) return false;
      koa.respond = false;
      applyCookies(koa.res, ctx.outgoingCookies, options.cookies);
      await write(ctx, koa.res, reply, wire);
      return true;
    });
  } catch (error) {
    // The path has other meanings, for which a body without the fields of this one says nothing.
    if (!isReceived && isNamed(entrance) && entrance.body === 'fields') return false;
    if (isOurFault(error)) options.onError(error, koa);
    koa.respond = false;
    refuse(door, error, koa, fields);
    return true;
  }
}

/** What another site can make a browser send with a GET is no credential here, because some products create by GET. */
function narrowCredentials(
  { authorizedOnly = false, mailboxIn }: Door,
  { method }: Entrance,
  { credentials }: Context,
  { req }: KoaContext,
): void {
  const isGet = method === 'GET';
  if (isGet || authorizedOnly) credentials.sessionTokens = [];
  if (authorizedOnly) credentials.apiKey = null;
  const site = req.headers['sec-fetch-site'];
  if (isGet && (site === 'cross-site' || site === 'same-site')) credentials.authorized = [];
  else if (credentials.apiKey === null)
    credentials.mailbox = mailboxIn?.((name) => headerOf(req, name)) ?? null;
}

/** Sends a refusal in the form of the product, or closes the connection if the response has already begun. */
function refuse(door: Door, error: unknown, { method, path, req, res }: KoaContext, fields: Fields): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const known = failureOf(error);
  // Clients of other products take 401 for a wrong key.
  const failure = known.reason === 'NOT_OWNER' ? { ...known, status: 403 } : known;
  const hasKey = ['x-api-key', 'authorization'].some((name) => (headerOf(req, name) ?? '') !== '');
  const reply = door.refuse(failure, { method, path, hasKey, fields });
  for (const [name, value] of Object.entries(failure.headers))
    if (name !== 'www-authenticate' || reply.status === 401) res.setHeader(name, value);
  writeSimple(res, reply);
}
