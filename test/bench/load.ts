import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PathList } from './paths.js';
import { processorSeconds } from './processes.js';
import { busyDuring, has, LOAD_CORE, pinnedTo } from './processors.js';
import { wrk } from './wrk.js';

const run = promisify(execFile);

/** A multipart upload whose file differs in every request: 8 bytes at `varyAt` are rewritten. */
export interface UploadBody {
  readonly file: string;
  readonly filename: string;
  readonly contentType: string;
  readonly varyAt: number;
}

/** The requests to one contender. */
export interface Request {
  /** The server process that answers, and further ones of the same installation. */
  readonly pid: number;
  readonly more?: readonly number[];
  /** What else works for it: the database, a pooler, a proxy. */
  readonly others?: readonly number[];
  /** The address; that of the server if there are `paths`. */
  readonly url: string;
  readonly connections: number;
  /** Requested in this order, repeatedly, by all connections together. */
  readonly paths?: PathList;
  readonly upload?: UploadBody;
  /** A JSON body, in which SEED and COUNT become numbers that no other request has. */
  readonly json?: string;
  readonly apiKey?: string;
}

/** The client's view of one run. */
export interface Measured {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Broken connections, time-outs and answers other than 2xx and 3xx. */
  readonly errors: number;
}

/** The result of one run. */
export interface Run extends Measured {
  /** How busy the client's processor was, 0 to 1; null if the system does not report it. */
  readonly clientBusy: number | null;
  /** CPU time of the server per request, in microseconds; null if the system does not report it. */
  readonly processorUs: number | null;
  /** The same of what else works for it; null if there is nothing. */
  readonly othersUs: number | null;
}

/** The load generator in use. */
export const GENERATOR = has('wrk') ? 'wrk' : 'autocannon';

let seed = Math.floor(Math.random() * 0xffff_ffff);

/** The position in each list. A run from the start would find there what the last run has left in memory. */
const places = new Map<PathList, number>();

/** Puts load on one contender for some seconds. Uploads never repeat a file, not even in another run. */
export async function load(request: Request, seconds: number): Promise<Run> {
  seed = (seed + 1) % 0xffff_ffff;
  const { paths, connections } = request;
  const from = paths === undefined ? 0 : (places.get(paths) ?? 0);
  const generate = GENERATOR === 'wrk' ? wrk : cannon;
  const { pid, more = [], others = [] } = request;
  const shown = await observe([pid, ...more], others, () => generate(request, { seconds, seed, from }));
  if (paths !== undefined) places.set(paths, (from + shown.requests + connections) % paths.length);
  return shown;
}

/** Adds the load of both processors to the client's view. */
export async function observe(
  server: readonly number[],
  others: readonly number[],
  work: () => Promise<Measured>,
): Promise<Run> {
  const [before, othersBefore] = [secondsOf(server), secondsOf(others)];
  const { value, busy } = await busyDuring(LOAD_CORE, work);
  const since = (then: number | null, now: number | null) =>
    then === null || now === null ? null : ((now - then) * 1e6) / value.requests;
  const processorUs = since(before, secondsOf(server));
  return { ...value, clientBusy: busy, processorUs, othersUs: since(othersBefore, secondsOf(others)) };
}

/** CPU time of these processes together; null if there are none, or if the system does not report it. */
function secondsOf(pids: readonly number[]): number | null {
  const known = pids.map(processorSeconds).filter((seconds) => seconds !== null);
  return known.length === 0 ? null : known.reduce((sum, seconds) => sum + seconds, 0);
}

async function cannon(
  request: Request,
  options: { readonly seconds: number; readonly seed: number; readonly from: number },
): Promise<Measured> {
  const [program = process.execPath, ...args] = [
    ...pinnedTo(LOAD_CORE),
    process.execPath,
    join(import.meta.dirname, 'cannon.mjs'),
    JSON.stringify({ request, ...options }),
  ];
  const { stdout } = await run(program, args);
  return JSON.parse(stdout) as Measured;
}
