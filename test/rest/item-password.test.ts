/** Passwords of items: verified once per request, and hashed only now and then. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createItemPasswords } from '../../server/drivers/secrets/item-password.js';
import { argon2id } from '../../server/drivers/secrets/passwords.js';
import { fileForm, startServer, type TestServer } from '../harness.js';

const test = suite('item passwords');
let server: TestServer;
/** How many passwords were verified, and how many of them had to be hashed for that. */
let checked = 0;
let hashed = 0;
test.before(async () => {
  server = await startServer({ RATE_LIMIT: 'on' });
  const { itemPasswords } = server.app.services;
  onCall(argon2id, () => {
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
function onCall<A extends unknown[]>(
  passwords: { verify: (...args: A) => Promise<boolean> },
  happen: () => void,
): void {
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
  const hash = await argon2id.hash('open sesame');
  const other = await argon2id.hash('another');
  const few = createItemPasswords({ count: 1, ms: 60_000 });
  for (const [expected, known] of [
    [1, hash],
    [1, hash],
    [2, other],
    [3, hash],
  ] as const) {
    assert.is(await few.verify(known, known === hash ? 'open sesame' : 'another', 'caller'), true);
    assert.is(hashed, expected);
  }
  const brief = createItemPasswords({ count: 10, ms: 0 });
  for (const expected of [4, 5]) {
    assert.is(await brief.verify(hash, 'open sesame', 'caller'), true);
    assert.is(hashed, expected);
  }
});

/** A server whose limits this test alone uses up. */
async function withOwnServer(run: () => Promise<void>): Promise<void> {
  const shared = server;
  server = await startServer({ RATE_LIMIT: 'on' });
  try {
    await run();
  } finally {
    await server.close();
    server = shared;
  }
}

test('guesses at items never shut out a sign-in', () =>
  withOwnServer(async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => put('open sesame')));
    const guesses = Array.from({ length: 280 }, (_, index) => get(ids[index % ids.length] ?? '', 'guess'));
    const { email, password } = server.owner;
    const logins = Array.from({ length: 10 }, () =>
      server.request('POST', '/auth/login', { json: { email, password } }),
    );
    for (const { status } of await Promise.all(logins)) assert.is(status, 200);
    const statuses = new Set(await Promise.all(guesses));
    assert.ok(
      [...statuses].every((status) => status === 403 || status === 429),
      [...statuses].join(),
    );
  }));

test('one network has a limited number of guesses at all items together', () =>
  withOwnServer(async () => {
    const [first = '', second = ''] = await Promise.all([put('open sesame'), put('open sesame')]);
    await server.app.services.limits.rates.take('itemPasswordAddress', '127.0.0.1', 298);
    assert.is(await get(first, 'guess'), 403);
    assert.is(await get(first, 'open sesame'), 200, 'a right one is not counted');
    assert.is(await get(second, 'guess'), 403);
    assert.is(await get(second, 'guess'), 429);
    assert.is(await get(first, 'open sesame'), 429);
  }));

test('a guess that is refused because too many wait counts like any other', () =>
  withOwnServer(async () => {
    const id = await put('open sesame');
    const { itemPasswords } = server.app.services;
    const line = Array.from({ length: 64 }, () => itemPasswords.hash('x', '127.0.0.1'));
    const guesses = await Promise.all(Array.from({ length: 60 }, () => get(id, 'guess')));
    assert.ok(
      guesses.every((status) => status === 403 || status === 429),
      guesses.join(),
    );
    await Promise.all(line);
    assert.is(await get(id, 'open sesame'), 429);
  }));

test.run();
