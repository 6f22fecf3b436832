/** Passwords of items: verified once per request, and hashed only now and then. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ItemPasswords } from '../../routers/ports/secrets.js';
import { createItemPasswords } from '../../server/secrets/item-password.js';
import { createPasswords } from '../../server/secrets/passwords.js';
import { fileForm, startServer, type TestServer } from '../harness.js';

const test = suite('item passwords');
let server: TestServer;
/** How many passwords were verified, and how many of them had to be hashed for that. */
let checked = 0;
let hashed = 0;
test.before(async () => {
  server = await startServer({ RATE_LIMIT: 'on' });
  const { passwords, itemPasswords } = server.app.services;
  onCall(passwords, () => {
    hashed += 1;
  });
  onCall(itemPasswords, () => {
    checked += 1;
  });
});
test.before.each(() => {
  checked = 0;
  hashed = 0;
});
test.after(() => server.close());

/** Reports each password that is verified from now on; the verification itself is unchanged. */
function onCall(passwords: ItemPasswords, happen: () => void): void {
  const { verify } = passwords;
  passwords.verify = (...args) => {
    happen();
    return verify(...args);
  };
}

const put = async (password: string): Promise<string> => {
  const form = fileForm('some bytes to seek in', 'a.txt', { password });
  return (await server.request('POST', '/image/upload', { key: server.owner.key, form })).body.uniqueId;
};
const get = async (id: string, password: string, headers: Record<string, string> = {}): Promise<number> =>
  (await server.request('GET', `/image/get/${id}`, { headers: { 'x-password': password, ...headers } }))
    .status;

test('a page load verifies a password once, even a wrong one', async () => {
  const id = await put('open sesame');
  const html = { accept: 'text/html' };
  assert.is(await get(id, 'wrong', html), 302);
  assert.equal([checked, hashed], [1, 1]);
  assert.is(await get(id, 'open sesame', html), 200);
  assert.equal([checked, hashed], [2, 2]);
});

test('consecutive range requests do not hash a correct password again, but each wrong one', async () => {
  const id = await put('open sesame');
  for (const range of ['bytes=0-3', 'bytes=4-7', 'bytes=2-'])
    assert.is(await get(id, 'open sesame', { range }), 206);
  assert.is(hashed, 1);
  for (let tries = 0; tries < 3; tries += 1) assert.is(await get(id, 'open sesam'), 403);
  assert.is(hashed, 4);
});

test('a password that opened one item opens no other', async () => {
  const [mine, other] = [await put('mine only'), await put('another one')];
  assert.is(await get(mine, 'mine only'), 200);
  assert.is(await get(other, 'mine only'), 403);
});

test('a changed password takes effect at once', async () => {
  const id = await put('the old one');
  const set = (password: string) =>
    server.request('PUT', `/image/password/${id}`, { key: server.owner.key, json: { password } });
  assert.is(await get(id, 'the old one'), 200);
  await set('the new one');
  assert.is(await get(id, 'the old one'), 403);
  assert.is(await get(id, 'the new one'), 200);
  await set('');
  await set('the new one');
  assert.is(await get(id, 'the old one'), 403);
});

test('a cached password is refused too once the caller is rate-limited', async () => {
  const id = await put('open sesame');
  assert.is(await get(id, 'open sesame'), 200);
  const tries = [];
  do tries.push(await get(id, 'guess'));
  while (tries.at(-1) === 403 && tries.length < 100);
  assert.is(tries.at(-1), 429);
  assert.is(await get(id, 'open sesame'), 429);
});

test('the password cache is bounded in size and time', async () => {
  const passwords = createPasswords();
  onCall(passwords, () => {
    hashed += 1;
  });
  const hash = await passwords.hash('open sesame');
  const other = await passwords.hash('another');
  const few = createItemPasswords(passwords, { count: 1, ms: 60_000 });
  for (const [expected, known] of [
    [1, hash],
    [1, hash],
    [2, other],
    [3, hash],
  ] as const) {
    assert.is(await few.verify(known, known === hash ? 'open sesame' : 'another'), true);
    assert.is(hashed, expected);
  }
  const brief = createItemPasswords(passwords, { count: 10, ms: 0 });
  for (const expected of [4, 5]) {
    assert.is(await brief.verify(hash, 'open sesame'), true);
    assert.is(hashed, expected);
  }
});

test.run();
