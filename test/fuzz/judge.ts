import { routes } from '../../rest-adapter/routes/index.js';
import { INSIDES } from '../hostile/guarantees.js';
import { complaintOf } from '../support/interface/described.js';
import type { Reply } from './exchange.js';
import type { Request } from './inputs/request.js';

/** What an operation may answer. */
export interface Expectation {
  /** Documented statuses; null if another operation than the intended one was reached. */
  readonly statuses: ReadonlySet<number>;
  /** The format of refusals. */
  readonly refusals: 'envelope' | 'trpc' | 'page' | 'any';
  /** Whether the envelope may have the sentence in `error` as well. */
  readonly textErrors?: boolean | undefined;
}

/** An answer that breaks a promise. */
export class Broken extends Error {}

/** Beyond this the server refuses the head of any request. */
const LONG_HEAD = 8_000;

/** Throws `Broken` unless an answer keeps what every operation promises. */
export function judge(request: Request, reply: Reply, expected: Expectation): void {
  const { status, text } = reply;
  const { statuses } = expected;
  const broken = (what: string) => {
    throw new Broken(`${what}: ${status} ${text.slice(0, 300)}`);
  };
  const head = request.target.length + JSON.stringify(request.headers).length;
  if (status === 431 && head > LONG_HEAD) return;
  if (!statuses.has(status)) broken(status >= 500 ? 'a failure of ours' : 'a status that is not documented');
  if (status === 207 && /"httpStatus":5(?!0[12])/.test(text)) broken('a failure of ours in a batch');
  if (isGonePicture(request, reply)) return;
  if (status >= 400 && request.method !== 'HEAD') judgeRefusal(reply, expected, broken);
  const { method, target } = request;
  const type = reply.headers['content-type'] ?? null;
  const complaint =
    expected.refusals === 'envelope' ? complaintOf({ method, target, status, type, text }) : null;
  if (complaint !== null) broken(`openapi.json is not true: ${complaint}`);
  if (status >= 400 && INSIDES.test(text)) broken('the inside shows');
}

/** The paths that serve what a page may show as a picture, or lead to it, up to their first parameter. */
const SHOWN = [
  ...routes
    .filter(({ shown }) => shown)
    .flatMap(({ path, atRoot }) => [`/v1${path}`, ...(atRoot ? [path] : [])]),
  '/web/image-render/',
  '/web/site/render/',
].map((path) => path.replace(/\{.*/, '').toLowerCase());

/** A browser reports JSON in an <img> as blocked, so that a picture that is gone has no body. */
const isGonePicture = ({ method, target, headers }: Request, { status, text }: Reply): boolean =>
  method === 'GET' &&
  status === 404 &&
  text === '' &&
  SHOWN.some((start) => target.toLowerCase().startsWith(start)) &&
  /^\s*image\//i.test(String(headers.accept ?? ''));

function judgeRefusal(
  { headers, text }: Reply,
  { refusals, textErrors = false }: Expectation,
  broken: (what: string) => void,
): void {
  const type = headers['content-type'] ?? '';
  if (refusals === 'any' || (refusals === 'page' && type.startsWith('text/html'))) return;
  if (!type.startsWith('application/json')) broken('a refusal that is no JSON');
  const body = JSON.parse(text);
  const messages =
    refusals === 'trpc' ? [body].flat().map((part) => part.error?.message ?? 'a result') : [body.message];
  if (messages.some((message) => typeof message !== 'string' || message === ''))
    broken('a refusal without a sentence');
  const isMarked = body.error === true || (textErrors && body.error === body.message);
  if (refusals !== 'trpc' && (!isMarked || body.timestamp === undefined || body.count !== 0))
    broken('a refusal without the envelope');
}

/** The first secret that the answer contains and the request does not. */
export function leakedOf(request: Request, reply: Reply, secrets: readonly string[]): string | null {
  const asked =
    `${request.target} ${JSON.stringify(request.headers)} ${request.body?.toString('latin1') ?? ''}`.replaceAll(
      '%40',
      '@',
    );
  const told = `${JSON.stringify(reply.headers)} ${reply.text}`;
  return secrets.find((secret) => told.includes(secret) && !asked.includes(secret)) ?? null;
}
