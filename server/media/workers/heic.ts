import { readFile } from 'node:fs/promises';

/** Pixels of four bytes each (red, green, blue, opacity). */
export interface RawPicture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Decodes the primary picture of a HEIC file, turned as it is meant to be shown. Throws when it cannot. */
export async function readHeic(path: string): Promise<RawPicture> {
  const { default: decode } = await import('heic-decode');
  const { data, width, height } = await decode({ buffer: await readFile(path) });
  return { data: Buffer.from(data.buffer, data.byteOffset, data.byteLength), width, height };
}
