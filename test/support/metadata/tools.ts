import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { skipping } from '../skip.js';

const run = promisify(execFile);

/** Runs a program in a folder of its own and returns what it printed and the file it made; null if it is missing. */
async function withTool(
  program: string,
  args: (folder: string) => Promise<{ args: string[]; made?: string }>,
): Promise<Buffer | null> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-tool-'));
  try {
    const { args: list, made } = await args(folder);
    const { stdout } = await run(program, list, { cwd: folder, encoding: 'buffer', maxBuffer: 1 << 26 });
    return made === undefined ? stdout : await readFile(join(folder, made));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    skipping(`${program} is not installed`);
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file with tags that exiftool has written into it. */
export async function tagged(bytes: Buffer | null, extension: string, tags: readonly string[]) {
  if (bytes === null) return null;
  return withTool('exiftool', async (folder) => {
    await writeFile(join(folder, `in.${extension}`), bytes);
    return {
      args: ['-q', '-m', ...tags, '-o', `out.${extension}`, `in.${extension}`],
      made: `out.${extension}`,
    };
  });
}

const films = new Map<string, Promise<Buffer | null>>();

/** A file that ffmpeg writes; `inputs` become files in its folder. The same call is made only once. */
export function filmed(
  extension: string,
  args: readonly string[],
  inputs: Record<string, string | Buffer> = {},
) {
  const key = JSON.stringify([extension, args, Object.keys(inputs)]);
  const film =
    films.get(key) ??
    withTool('ffmpeg', async (folder) => {
      for (const [name, content] of Object.entries(inputs)) await writeFile(join(folder, name), content);
      const made = `out.${extension}`;
      return { args: ['-v', 'error', '-nostdin', ...args, '-bitexact', made], made };
    });
  films.set(key, film);
  return film;
}

/** A short moving picture with sound, as inputs for `filmed`. */
export const SCENE = [
  ...['-f', 'lavfi', '-i', 'testsrc=duration=1:size=64x48:rate=10'],
  ...['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1'],
];

/** Codecs that every player knows, for `filmed`. */
export const PLAIN = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];

/** A checksum of every packet of all pictures, sounds and subtitles, as a player reads them. */
export async function packets(path: string): Promise<string | null> {
  const streams = ['-map', '0:v?', '-map', '0:a?', '-map', '0:s?'];
  const list = await withTool('ffmpeg', async () => ({
    args: ['-v', 'error', '-nostdin', '-i', path, ...streams, '-c', 'copy', '-f', 'framemd5', '-'],
  }));
  return list === null ? null : list.toString('latin1');
}

/** A checksum of the decoded pictures, by ffmpeg. */
export async function frames(path: string): Promise<string | null> {
  const sum = await withTool('ffmpeg', async () => ({
    args: ['-v', 'error', '-nostdin', '-i', path, '-map', '0:v', '-f', 'md5', '-'],
  }));
  return sum === null ? null : sum.toString('latin1');
}

/** A checksum of the decoded pixels, by libvips. */
export const pixels = async (path: string): Promise<string> =>
  createHash('md5')
    .update(await sharp(path, { animated: true, failOn: 'none' }).raw().toBuffer())
    .digest('hex');

/** A HEIC or AVIF that heif-enc makes of a PNG. */
export const heif = async (png: Buffer, extension: 'heic' | 'avif', args: readonly string[] = []) =>
  withTool('heif-enc', async (folder) => {
    const made = `${randomUUID()}.${extension}`;
    await writeFile(join(folder, 'in.png'), png);
    return { args: [...(extension === 'avif' ? ['-A'] : []), ...args, '-o', made, 'in.png'], made };
  });

/** The decoded pixels of a HEIC or AVIF, by libheif. */
export async function heifPixels(path: string): Promise<string | null> {
  const png = await withTool('heif-convert', async () => ({ args: [path, 'out.png'], made: 'out.png' }));
  return png === null
    ? null
    : createHash('md5')
        .update(await sharp(png).raw().toBuffer())
        .digest('hex');
}

/** A checksum of the decoded sound: comments and covers are other ones afterwards. */
export async function heard(path: string): Promise<string | null> {
  const sum = await withTool('ffmpeg', async () => ({
    args: ['-v', 'error', '-nostdin', '-i', path, '-map', '0:a', '-f', 'md5', '-'],
  }));
  return sum === null ? null : sum.toString('latin1');
}

/** A checksum of a file from the first occurrence of a mark on. */
export const bytesFrom = (mark: string) => async (path: string) => {
  const bytes = await readFile(path);
  return createHash('md5')
    .update(bytes.subarray(bytes.indexOf(mark, 0, 'latin1')))
    .digest('hex');
};
