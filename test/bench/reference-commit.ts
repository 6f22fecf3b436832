import { open } from 'node:fs/promises';

/** The log is written from its beginning again past this size, like that of a database. */
const LOG_BYTES = 64 * 1024 * 1024;

interface Waiting {
  readonly bytes: readonly Buffer[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens a log whose callers are answered once their bytes are durable: those who wait during one fdatasync
 * share the next.
 */
export async function createCommitter(path: string): Promise<(bytes: readonly Buffer[]) => Promise<void>> {
  const log = await open(path, 'w');
  let waiting: Waiting[] = [];
  let running = false;
  let end = 0;

  async function drain(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const { bytesWritten } = await log.writev(
          batch.flatMap(({ bytes }) => bytes),
          end,
        );
        end = end > LOG_BYTES ? 0 : end + bytesWritten;
        await log.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  }

  return (bytes) =>
    new Promise((resolve, reject) => {
      waiting.push({ bytes, resolve, reject });
      if (!running) void drain();
    });
}
