/** A long answer is the same JSON as if it were made at once, and others have their turns while it is made. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLong, writeLong } from '../../rest-adapter/reply/long.js';

const test = suite('long answers');

const MIB = 1024 * 1024;

/** The JSON of a body as a client gets it, and how many turns others had meanwhile. */
async function sent(body: object): Promise<{ readonly text: string; readonly turns: number }> {
  let turns = 0;
  let over = false;
  const take = () => {
    turns += 1;
    if (!over) setImmediate(take);
  };
  const server = createServer((_, res) => {
    void writeLong(res, body, (bytes) => res.writeHead(200, { 'content-length': bytes }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  setImmediate(take);
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const text = await answer.text();
  over = true;
  await new Promise((resolve) => server.close(resolve));
  return { text, turns };
}

test('texts of megabytes are made in pieces, wherever they lie', async () => {
  const texts = [
    '"\\\n\u0000'.repeat(MIB),
    // Each piece ends within a character.
    `x${'😀'.repeat(MIB)}`,
    '\ud800'.repeat(2 * MIB),
  ];
  for (const text of texts) {
    const body = { error: false, message: { text, list: [{ text }, 'b'] } };
    assert.ok(isLong(body));
    const answer = await sent(body);
    assert.ok(answer.turns > (2 * text.length) / MIB, `${answer.turns} turns`);
    assert.equal(JSON.parse(answer.text).message.text === text, true);
    assert.equal(JSON.parse(answer.text).message.list[0].text === text, true);
  }
});

test('an ordinary text is made at once', () => {
  assert.is(isLong({ message: { text: 'a'.repeat(MIB) } }), false);
});

test.run();
