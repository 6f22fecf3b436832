import { join } from 'node:path';
import type { BlobStore } from '../../../routers/base/ports/storage.js';
import type { StorageOptions } from './options.js';
import { severalStores } from './several.js';

export { createHotCache, type HotCache, type HotCacheOptions } from './hot-cache.js';

/** Where blobs are; how they are sent is no business of a store. */
type BlobOptions = Omit<StorageOptions, 'accelerated'>;

/**
 * The configured stores: the bucket at `S3_ENDPOINT`, `DATA_DIR`, or both; the first gets what is new. Bytes are always
 * staged in `DATA_DIR/staging`. Does not access the stores yet: `check` tells whether they work. `onFailure` is called for
 * each request to the bucket that failed.
 */
export async function openBlobStores(
  { dataDir, s3, places }: BlobOptions,
  onFailure: () => void = () => {},
): Promise<BlobStore[]> {
  const stores: BlobStore[] = [];
  for (const place of places)
    if (place === 'disk') {
      const { createDiskStore } = await import('./disk/disk.js');
      stores.push(await createDiskStore({ dataDir }));
    } else if (s3 !== null) {
      const { createS3Store } = await import('./s3/index.js');
      stores.push(await createS3Store({ ...s3, stagingDir: join(dataDir, 'staging'), onFailure }));
    }
  return stores;
}

/** Everything that is stored, in whichever of the configured stores it is. */
export const openBlobStore = async (options: BlobOptions): Promise<BlobStore> =>
  severalStores(await openBlobStores(options));
