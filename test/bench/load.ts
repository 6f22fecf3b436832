import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { processorSeconds } from './processes.js';
import { busyDuring, has, LOAD_CORE, pinnedTo } from './processors.js';

const run = promisify(execFile);

/** A multipart upload whose file differs in every request: 8 bytes at `varyAt` are written anew. */
export interface UploadBody {
  readonly file: string;
  readonly filename: string;
  readonly contentType: string;
  readonly varyAt: number;
}

/** What one contender is asked. */
export interface Request {
  /** The server process that answers. */
  readonly pid: number;
  readonly url: string;
  readonly connections: number;
  readonly upload?: UploadBody;
  readonly apiKey?: string;
}

/** What one run of load has shown. */
export interface Run {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Broken connections, time-outs and answers other than 2xx and 3xx. */
  readonly errors: number;
  /** How busy the load generator's processor was, 0 to 1; null where the system does not tell. */
  readonly clientBusy: number | null;
  /** Processor time the server used for one request, in microseconds; null where the system does not tell. */
  readonly processorUs: number | null;
}

/** The load generator in use. */
export const GENERATOR = has('wrk') ? 'wrk' : 'autocannon';

let seed = Math.floor(Math.random() * 0xffff_ffff);

/** Puts load on one contender for some seconds. Uploads never repeat a file, not even in another run. */
export async function load(request: Request, seconds: number): Promise<Run> {
  seed = (seed + 1) % 0xffff_ffff;
  const before = processorSeconds(request.pid);
  const { value, busy } = await busyDuring(LOAD_CORE, () =>
    GENERATOR === 'wrk' ? wrk(request, seconds) : cannon(request, seconds),
  );
  const after = processorSeconds(request.pid);
  const processorUs = before === null || after === null ? null : ((after - before) * 1e6) / value.requests;
  return { ...value, clientBusy: busy, processorUs };
}

type Measured = Omit<Run, 'clientBusy' | 'processorUs'>;

async function wrk({ url, connections, upload, apiKey }: Request, seconds: number): Promise<Measured> {
  const script = upload === undefined ? [] : ['-s', join(import.meta.dirname, 'upload.lua')];
  const environment =
    upload === undefined
      ? {}
      : {
          UPLOAD_FILE: upload.file,
          UPLOAD_NAME: upload.filename,
          UPLOAD_TYPE: upload.contentType,
          UPLOAD_VARY_AT: String(upload.varyAt),
          UPLOAD_KEY: apiKey ?? '',
          UPLOAD_SEED: String(seed),
        };
  const [program = 'wrk', ...args] = [
    ...pinnedTo(LOAD_CORE),
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '--latency',
    ...script,
    url,
  ];
  const { stdout } = await run(program, args, { env: { ...process.env, ...environment } });
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout) ?? [];
  return {
    requests: number(/(\d+) requests in/),
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(/50%\s+([\d.]+)(us|ms|s|m)\b/.exec(stdout)),
    p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s|m)\b/.exec(stdout)),
    errors:
      number(/Non-2xx or 3xx responses: (\d+)/) +
      sockets.slice(1).reduce((sum, count) => sum + Number(count), 0),
  };
}

function milliseconds(match: RegExpExecArray | null): number {
  const unit = { us: 0.001, ms: 1, s: 1000, m: 60_000 }[match?.[2] ?? 'ms'] ?? 1;
  return Number(match?.[1] ?? 0) * unit;
}

async function cannon(request: Request, seconds: number): Promise<Measured> {
  const [program = process.execPath, ...args] = [
    ...pinnedTo(LOAD_CORE),
    process.execPath,
    join(import.meta.dirname, 'cannon.mjs'),
    JSON.stringify({ request, seconds, seed }),
  ];
  const { stdout } = await run(program, args);
  return JSON.parse(stdout) as Measured;
}
