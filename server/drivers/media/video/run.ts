import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { MediaStopped, MediaUnsupported } from '../../../../routers/base/ports/media/media.js';
import { MAX_FRAME_PIXELS } from '../../../../routers/base/ports/media/pixels.js';
import type { Job } from './arguments.js';

/** How long one change may take. */
const MAX_MS = 120_000;
const MAX_MEMORY_KIB = 1536 * 1024;
/** The largest result; the shell counts blocks of 512 bytes. */
const MAX_BLOCKS = (512 * 1024 * 1024) / 512;
/** Two threads for the whole time. */
const MAX_CPU_SECONDS = 240;
const PRIORITY = 10;
const KEPT_REPORT = 16 * 1024;

/** The limits of the system hold for FFmpeg as well, which takes the place of the shell. */
const LIMITED = `ulimit -c 0; ulimit -v ${MAX_MEMORY_KIB}; ulimit -t ${MAX_CPU_SECONDS}; ulimit -f ${MAX_BLOCKS}; exec "$@"`;

/**
 * Runs FFmpeg on one file of a known format. It gets an empty environment, opens only files, reads only with the named
 * demuxer (none of those that open other files), and is killed after its time or when `signal` is aborted. Throws
 * `MediaStopped` or `MediaUnsupported`; `target` may remain.
 */
export async function runFfmpeg(
  program: string,
  { path, demuxer, target, job }: { path: string; demuxer: string; target: string; job: Job },
  signal: AbortSignal,
): Promise<void> {
  const { code, killedBy, report } = await ended(
    program,
    [
      ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-n', '-abort_on', 'empty_output'],
      ...['-filter_threads', '2', '-filter_complex_threads', '1', '-threads', '2'],
      ...['-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer],
      ...['-max_pixels', String(MAX_FRAME_PIXELS), ...job.input, '-i', `file:${path}`],
      ...[
        '-map_metadata',
        '-1',
        '-map_chapters',
        '-1',
        '-sn',
        '-dn',
        '-fflags',
        '+bitexact',
        '-threads',
        '2',
      ],
      ...[...job.output, `file:${target}`],
    ],
    signal,
  );
  if (code === 0) return;
  if (killedBy === 'SIGXFSZ' || report.includes('File too large')) throw new MediaStopped('size');
  if (report.includes('No space left')) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  if (/Unknown encoder|Encoder not found/.test(report)) throw new MediaStopped('encoder');
  if (/Cannot allocate memory|Resource temporarily unavailable/.test(report))
    throw new MediaStopped('memory');
  if (/does not contain any stream|matches no streams/.test(report)) throw new MediaStopped('stream');
  if (killedBy === 'SIGKILL') throw new MediaStopped('time');
  throw new MediaUnsupported(report.trim().split('\n').at(-1) ?? 'FFmpeg failed');
}

interface Ended {
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly report: string;
}

const ended = (program: string, args: readonly string[], signal: AbortSignal): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', program, ...args], {
      // Each of its threads would reserve memory of its own otherwise.
      env: { MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]),
      killSignal: 'SIGKILL',
    });
    let report = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      report = (report + text).slice(-KEPT_REPORT);
    });
    child.once('error', (error) => {
      if (error.name !== 'AbortError') reject(error);
    });
    child.once('close', (code, killedBy) => resolve({ code, killedBy, report }));
    try {
      if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
    } catch {
      // It has ended, or the system does not permit it.
    }
  });
