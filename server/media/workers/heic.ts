import { readFile } from 'node:fs/promises';

/** RGBA pixels of four bytes each. */
export interface RawPicture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Decodes the primary picture of a HEIC file with its rotation applied. Throws if it cannot be decoded. */
export async function readHeic(path: string): Promise<RawPicture> {
  const { default: decode } = await import('heic-decode');
  const { data, width, height } = await decode({ buffer: await readFile(path) });
  return { data: Buffer.from(data.buffer, data.byteOffset, data.byteLength), width, height };
}
