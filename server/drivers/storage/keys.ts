import { join } from 'node:path';
import type { ByteRange } from '../../../routers/base/ports/storage.js';

const SHA256 = /^[0-9a-f]{64}$/;

/** Whether a name is a SHA-256 in lower-case hex. */
export function isSha256(name: string): boolean {
  return SHA256.test(name);
}

/** Throws a `TypeError` unless the argument is a SHA-256 in lower-case hex. */
function assertSha256(sha256: string): void {
  if (!isSha256(sha256)) throw new TypeError('not a SHA-256 in lower-case hex');
}

/**
 * The path of a blob below the blobs folder: `ab/<sha256>`. With another level, most blobs would need a folder of
 * their own to create and sync.
 */
export function blobFile(root: string, sha256: string): string {
  assertSha256(sha256);
  return join(root, sha256.slice(0, 2), sha256);
}

/** The prefix of blob keys in a bucket. */
export const BLOBS = 'blobs/';

/** The key of a blob in a bucket: `blobs/<sha256>`. */
export function blobKey(sha256: string): string {
  assertSha256(sha256);
  return BLOBS + sha256;
}

/** Throws a `RangeError` unless the positions are integers, not negative and in order. */
export function assertRange({ start, end }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`not a byte range: ${start} to ${end}`);
  }
}
