/**
 * SHA-256 in steps. The browser's own takes only what is in memory as a whole, is asynchronous, and is absent on pages
 * without https.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The SHA-256 of a text as 64 hexadecimal digits. */
export const sha256OfText = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** The first 32 bits of the SHA-256 of a text as an unsigned number. */
export function firstWordOfSha256(text: string): number {
  const { buffer, byteOffset } = sha256(utf8ToBytes(text));
  return new DataView(buffer, byteOffset).getUint32(0);
}

/** How much of a file is in memory at once while it is hashed. */
const SLICE_BYTES = 1024 * 1024;

/** The SHA-256 of a file, which is read in slices; `onBytes` gets how much was read since it was called before. */
export async function hashOf(
  file: Blob,
  { onBytes, signal }: { readonly onBytes?: (bytes: number) => void; readonly signal?: AbortSignal } = {},
): Promise<string> {
  const hash = sha256.create();
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    signal?.throwIfAborted();
    const bytes = new Uint8Array(await file.slice(at, at + SLICE_BYTES).arrayBuffer());
    hash.update(bytes);
    onBytes?.(bytes.length);
  }
  return bytesToHex(hash.digest());
}
