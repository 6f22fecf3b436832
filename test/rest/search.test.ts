// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';

const test = suite('searches');
let server: TestServer;
let user: TestAccount;
let other: TestAccount;

test.before(async () => {
  server = await startServer();
  user = await server.account();
  other = await server.account();
});
test.after(() => server.close());

const procedure = (name: string, input: object) =>
  `//trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
const find = (key: string, search: string) =>
  server.request('GET', procedure('library.pastes', { search }), { key });

test('an account has a few searches at once, and can take no turn from others', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const running = server.app.services.limits.searches('somebody', () => held);
  const own = Array.from({ length: 30 }, () => find(user.key, 'x'));
  const first = await Promise.race(own);
  assert.equal([first.status, first.body.error.data.httpStatus], [429, 429]);
  assert.ok(Number(first.headers.get('retry-after')) > 0);
  const others = find(other.key, 'x');
  assert.is((await find(user.key, '')).status, 200, 'a list without a search does not wait');
  assert.is((await server.request('GET', '/auth/me', { key: user.key })).status, 200);
  release();
  await running;
  const statuses = (await Promise.all(own)).map(({ status }) => status);
  assert.is(statuses.filter((status) => status === 200).length, 4);
  assert.is(statuses.filter((status) => status === 429).length, 26);
  assert.is((await others).status, 200);
});

test('the administrator is told to wait while too many accounts search', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const busy = Array.from({ length: 17 }, (_, holder) =>
    server.app.services.limits.searches(`holder ${holder}`, () => held),
  );
  for (const kind of ['images', 'pastes', 'urls', 'users']) {
    const path = kind === 'users' ? '/admin/user/get' : `/admin/${kind}`;
    const answer = await server.request('GET', `${path}?search=x`, { key: server.owner.key });
    assert.equal([answer.status, answer.body.error, answer.body.uniqueId], [429, true, null], kind);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
  }
  release();
  await Promise.all(busy);
});

test('a search through very much text costs no more than one through little', async () => {
  // Every position of these texts begins like what is searched for, which would be the most work for a scan.
  const text = `${'a'.repeat(1023)} `.repeat(1023);
  const made = Array.from({ length: 24 }, () =>
    server.request('POST', '/paste/create', { key: user.key, json: { text } }),
  );
  for (const { status } of await Promise.all(made)) assert.is(status, 200);
  const list = async (search: string) => (await find(user.key, search)).body.result.data.total;
  // Words count with their first 100 characters on PostgreSQL.
  assert.is(await list(`${'a'.repeat(89)}b`), 0);
  assert.is(await list('a'.repeat(99)), made.length);
  assert.is(await list(''), made.length);
});

test('a search shows how many there are, on every page', async () => {
  for (let made = 0; made < 5; made += 1)
    await server.request('POST', '/paste/create', { key: other.key, json: { text: `needle ${made}` } });
  const pages = await Promise.all(
    [0, 1, 2, 3].map((page) =>
      server.request('GET', procedure('library.pastes', { search: 'NEEDLE', page, pageSize: 2 }), {
        key: other.key,
      }),
    ),
  );
  assert.equal(
    pages.map(({ body }) => [body.result.data.items.length, body.result.data.total]),
    [2, 2, 1, 0].map((length) => [length, 5]),
  );
});

test.run();
