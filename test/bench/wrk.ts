import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Measured, Request } from './load.js';
import { LOAD_CORE, pinnedTo } from './processors.js';

const run = promisify(execFile);

/**
 * One run of wrk: `seed` distinguishes its uploads from those of other runs, `from` is the start position in
 * its paths.
 */
export async function wrk(
  request: Request,
  { seconds, seed, from }: { readonly seconds: number; readonly seed: number; readonly from: number },
): Promise<Measured> {
  const { script, variables } = scriptOf(request, seed, from);
  const [program = 'wrk', ...args] = [
    ...pinnedTo(LOAD_CORE),
    'wrk',
    '-t1',
    `-c${request.connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '--latency',
    ...(script === null ? [] : ['-s', join(import.meta.dirname, script)]),
    request.url,
  ];
  const { stdout } = await run(program, args, { env: { ...process.env, ...variables } });
  return parse(stdout);
}

function scriptOf({ upload, json, apiKey, paths }: Request, seed: number, from: number) {
  if (upload !== undefined) {
    return {
      script: 'upload.lua',
      variables: {
        UPLOAD_FILE: upload.file,
        UPLOAD_NAME: upload.filename,
        UPLOAD_TYPE: upload.contentType,
        UPLOAD_VARY_AT: String(upload.varyAt),
        UPLOAD_KEY: apiKey ?? '',
        UPLOAD_SEED: String(seed),
      },
    };
  }
  if (json !== undefined) {
    return {
      script: 'json.lua',
      variables: { JSON_BODY: json, JSON_KEY: apiKey ?? '', JSON_SEED: String(seed) },
    };
  }
  if (paths === undefined) return { script: null, variables: {} };
  return { script: 'paths.lua', variables: { PATHS_FILE: paths.file, PATHS_FROM: String(from) } };
}

function parse(output: string): Measured {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  const sockets = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output) ?? [];
  return {
    requests: number(/(\d+) requests in/),
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: milliseconds(/50%\s+([\d.]+)(us|ms|s|m)\b/.exec(output)),
    p99Ms: milliseconds(/99%\s+([\d.]+)(us|ms|s|m)\b/.exec(output)),
    errors:
      number(/Non-2xx or 3xx responses: (\d+)/) +
      sockets.slice(1).reduce((sum, count) => sum + Number(count), 0),
  };
}

function milliseconds(match: RegExpExecArray | null): number {
  const unit = { us: 0.001, ms: 1, s: 1000, m: 60_000 }[match?.[2] ?? 'ms'] ?? 1;
  return Number(match?.[1] ?? 0) * unit;
}
