import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { skipping } from '../skip.js';

const run = promisify(execFile);

/**
 * What ffmpeg writes with these arguments as the format; null, as reported by `skipping`, if it is
 * not installed.
 */
export async function filmed(args: readonly string[], format: string): Promise<Buffer | null> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-film-'));
  const path = join(folder, 'film');
  try {
    await run('ffmpeg', ['-v', 'error', ...args, '-f', CONTAINERS[format] ?? format, path], {
      timeout: 120_000,
    });
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    skipping('no ffmpeg on this machine (Debian: apt-get install ffmpeg)');
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Formats that ffmpeg calls by other names than files do. */
const CONTAINERS: Readonly<Record<string, string>> = { aac: 'adts' };

/** A film of 40 seconds and several megabytes, with its index at the end as cameras write it; null without ffmpeg. */
export async function makeFilm(): Promise<Buffer | null> {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=480x270:rate=15:duration=40'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '8', '-g', '15', '-pix_fmt', 'yuv420p'];
  return filmed([...picture, ...coding], 'mp4');
}
