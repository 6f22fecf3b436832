import { write, writev } from './fs-calls.js';

/** Writes all buffers in order at the descriptor's current position; throws if that fails. */
export async function writeAll(fd: number, buffers: readonly Buffer[]): Promise<void> {
  const size = buffers.reduce((sum, { length }) => sum + length, 0);
  let { bytesWritten } = await writev(fd, buffers);
  if (bytesWritten === size) return;
  // If the disk fills up during a write, the system returns a short count; only the next write fails with the reason.
  const bytes = Buffer.concat(buffers);
  while (bytesWritten < size) {
    bytesWritten += (await write(fd, bytes, bytesWritten, size - bytesWritten, null)).bytesWritten;
  }
}
