/** SHA-256 in steps, as pages compute it. */
import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { firstWordOfSha256, hashOf, sha256OfText } from '../../client/src/sha256.js';

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256);

test('a text has the same hash as elsewhere, and so has its first word', () => {
  for (const text of ['', 'a', 'ä€😀', 'x'.repeat(1_000)]) {
    const bytes = new TextEncoder().encode(text);
    assert.is(sha256OfText(text), expected(bytes));
    assert.is(firstWordOfSha256(text), Number.parseInt(expected(bytes).slice(0, 8), 16));
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
