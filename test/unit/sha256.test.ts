/** SHA-256 in steps, as pages compute it. */
import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hashOf, Sha256 } from '../../client/src/sha256.js';

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256);

test('every length up to some blocks has the same hash as elsewhere, in one piece and in small ones', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = bytesOf(length);
    assert.is(new Sha256().update(bytes).hex(), expected(bytes), `${length} bytes`);
    const hash = new Sha256();
    for (let at = 0; at < length; at += 7) hash.update(bytes.subarray(at, at + 7));
    assert.is(hash.hex(), expected(bytes), `${length} bytes in pieces`);
  }
});

test('a file of several slices is hashed as a whole, and says how far it is', async () => {
  const bytes = bytesOf(2_500_001);
  let read = 0;
  const onBytes = (more: number) => {
    read += more;
  };
  assert.is(await hashOf(new Blob([bytes]), { onBytes }), expected(bytes));
  assert.is(read, bytes.length);
});

test.run();
