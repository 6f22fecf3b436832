import { join } from 'node:path';
import type { BlobStore } from '../../../routers/ports/storage.js';
import type { StorageOptions } from './options.js';

export { createHotCache, type HotCache, type HotCacheOptions } from './hot-cache.js';

/**
 * The configured store: the bucket at `S3_ENDPOINT`, or else `DATA_DIR`. Bytes are always staged in
 * `DATA_DIR/staging`. Does not access the store yet: `check` tells whether it works.
 */
export async function openBlobStore({ dataDir, s3 }: StorageOptions): Promise<BlobStore> {
  if (s3 === null) {
    const { createDiskStore } = await import('./disk/disk.js');
    return createDiskStore({ dataDir });
  }
  const { createS3Store } = await import('./s3/index.js');
  return createS3Store({ ...s3, stagingDir: join(dataDir, 'staging') });
}
