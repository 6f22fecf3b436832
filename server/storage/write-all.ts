import { write, writev } from './fs-calls.js';

/** Writes these buffers whole, one after the other, where the descriptor stands; throws when that cannot be. */
export async function writeAll(fd: number, buffers: readonly Buffer[]): Promise<void> {
  const size = buffers.reduce((sum, { length }) => sum + length, 0);
  let { bytesWritten } = await writev(fd, buffers);
  if (bytesWritten === size) return;
  // Where room ends in the middle, the system answers how much it took; only the next write fails and says why.
  const bytes = Buffer.concat(buffers);
  while (bytesWritten < size) {
    bytesWritten += (await write(fd, bytes, bytesWritten, size - bytesWritten, null)).bytesWritten;
  }
}
