import { readFile } from 'node:fs/promises';

/** RGBA pixels of four bytes each. */
interface RawPicture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

let used = false;

/** Whether the decoder has been used, so that its memory may hold a picture. */
export const hasDecodedHeic = (): boolean => used;

/**
 * Decodes the primary picture of a HEIC file with its rotation applied. Throws if it cannot be decoded. The decoder
 * never gives its memory back, and a flaw in it could show an earlier picture in a later one, so a process must not be
 * used for a second file.
 */
export async function readHeic(path: string): Promise<RawPicture> {
  if (used) throw new Error('this process has decoded another picture');
  used = true;
  const { default: decode } = await import('heic-decode');
  const { data, width, height } = await decode({ buffer: await readFile(path) });
  return { data: Buffer.from(data.buffer, data.byteOffset, data.byteLength), width, height };
}
