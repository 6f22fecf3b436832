import * as fs from 'node:fs';
import { promisify } from 'node:util';

// File calls on plain descriptors: a FileHandle costs as much again as the system call behind it, and every
// upload comes through here.

export const open = promisify(fs.open);
export const close = promisify(fs.close);
export const fstat = promisify(fs.fstat);
const read = promisify(fs.read);

/** Reads up to `length` bytes at `offset`; fewer only at the end of the file. */
export async function readAt(fd: number, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await read(fd, buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
