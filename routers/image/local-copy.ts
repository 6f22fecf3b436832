import type { Services } from '../context.js';

/** Lends stored bytes as a local file, which is gone when the work ends. Throws `BlobMissing` before any work. */
export async function withLocalCopy<T>(
  app: Services,
  sha256: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const source = await app.blobs.open(sha256);
  try {
    const copy = await app.blobs.stage(source, { maxBytes: Number.MAX_SAFE_INTEGER });
    try {
      return await work(copy.path);
    } finally {
      await copy.discard();
    }
  } finally {
    source.destroy();
  }
}
