import { createHash, type Hash } from 'node:crypto';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';

/** The algorithms that a client may use for the checksum of a request. */
export const CHECKSUMS = ['sha256', 'sha1'] as const;

/** A checksum being compared with what a client announced. */
export interface Checksum {
  update(chunk: Uint8Array): void;
  /** Whether everything so far has the announced checksum. */
  matches(): boolean;
}

/** Reads `Upload-Checksum` (`sha256 <base64>`); null without one, 400 for another algorithm or without a digest. */
export function checksumOf(header: string | null): Checksum | null {
  if (header === null) return null;
  const [algorithm = '', encoded = ''] = header.trim().split(/\s+/);
  const known = CHECKSUMS.find((name) => name === algorithm.toLowerCase());
  if (known === undefined)
    fail('INVALID', localizable('Upload-Checksum takes {known}', { known: CHECKSUMS.join(' and ') }));
  const hash: Hash = createHash(known);
  const expected = Buffer.from(encoded, 'base64');
  if (expected.length === 0)
    fail('INVALID', 'Upload-Checksum has a name and, after a space, a digest in base64');
  return {
    update: (chunk) => void hash.update(chunk),
    matches: () => hash.digest().equals(expected),
  };
}
