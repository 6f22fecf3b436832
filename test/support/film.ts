import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { skipping } from './skip.js';

const run = promisify(execFile);

/**
 * A film of 40 seconds and several megabytes in `folder`, with its index at the end as cameras write it;
 * null, as reported by `skipping`, if ffmpeg is not installed.
 */
export async function makeFilm(folder: string): Promise<Buffer | null> {
  const path = join(folder, 'film.mp4');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=480x270:rate=15:duration=40'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '8', '-g', '15', '-pix_fmt', 'yuv420p'];
  try {
    await run('ffmpeg', ['-v', 'error', ...picture, ...coding, path], { timeout: 120_000 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    skipping('no ffmpeg on this machine (Debian: apt-get install ffmpeg)');
    return null;
  }
  return readFile(path);
}
