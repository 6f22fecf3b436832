import { read } from '../storage/disk/fs-calls.js';

/** Reads up to `length` bytes at `offset`; fewer only at the end of the file. */
export async function readAt(fd: number, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await read(fd, buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
