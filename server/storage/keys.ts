import { join } from 'node:path';
import type { ByteRange } from '../../routers/ports/storage.js';

const SHA256 = /^[0-9a-f]{64}$/;

/** Tells whether a name is a SHA-256 in lower-case hex. */
export function isSha256(name: string): boolean {
  return SHA256.test(name);
}

/** Throws a `TypeError` unless the argument is a SHA-256 in lower-case hex. */
function assertSha256(sha256: string): void {
  if (!isSha256(sha256)) throw new TypeError('not a SHA-256 in lower-case hex');
}

/** Where a blob lies below a folder of blobs: `ab/<sha256>`. A level more would give most blobs a folder to make and to sync. */
export function blobFile(root: string, sha256: string): string {
  assertSha256(sha256);
  return join(root, sha256.slice(0, 2), sha256);
}

/** What the keys of blobs in a bucket begin with. */
export const BLOBS = 'blobs/';

/** Where a blob lies in a bucket: `blobs/<sha256>`. */
export function blobKey(sha256: string): string {
  assertSha256(sha256);
  return BLOBS + sha256;
}

/** Throws a `RangeError` unless the range is one of whole, ordered, non-negative positions. */
export function assertRange({ start, end }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`not a byte range: ${start} to ${end}`);
  }
}
