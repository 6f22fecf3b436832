/** A long value of a form is decoded in pieces, with turns for others, and is what it would be in one. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formDecoded, formDecodedInTurns } from '../../routers/base/text/percent.js';

const MIB = 1024 * 1024;
const test = suite('long values of forms');

test('are whole wherever an encoded byte lies', async () => {
  for (const around of ['%C3%A9', '%%41', '%4', '%', '%%%41+', 'a+b', '%zz%41'])
    for (let before = MIB - 7; before <= MIB + 1; before += 1) {
      const text = `${'a'.repeat(before)}${around}${'b'.repeat(MIB)}${around}`;
      assert.ok(
        (await formDecodedInTurns(Buffer.from(text))).equals(formDecoded(text)),
        `${around} at ${before}`,
      );
    }
});

test('let others take their turns', async () => {
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  await formDecodedInTurns(Buffer.from('%41'.repeat(4 * MIB)));
  clearInterval(others);
  assert.ok(turns > 1);
});

test.run();
