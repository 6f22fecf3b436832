// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, type TestAccount, type TestServer } from '../harness.js';
import { cookies, registerNewcomer } from '../support/accounts/accounts.js';
import { digitsIn, newestMailTo } from '../support/accounts/outbox.js';
import { type LegacyClient, legacyClient, startWithPortal } from '../support/interface/legacy-client.js';

interface World {
  server: TestServer;
  client: LegacyClient;
  author: TestAccount;
}

const test = suite<World>('legacy client: administration');

test.before(async (world) => {
  world.server = await startWithPortal();
  world.client = legacyClient(world.server, world.server.owner.key);
  world.author = await world.server.account();
});
test.after(({ server }) => server.close());

const get = async ({ client }: World, path: string) => {
  const answer = await client.server('GET', path);
  assert.is(answer.status, 200, answer.text);
  return answer.body.message;
};
const idsOf = (content: readonly { uniqueId: string }[]): string[] =>
  content.map(({ uniqueId }) => uniqueId).sort();

test('the audit log has the fields that its page reads, and all of it without a page', async (world) => {
  const { server, client, author } = world;
  await server.request('POST', '/auth/login', { json: { email: author.email, password: author.password } });
  for (let made = 0; made < 30; made += 1)
    await server.request('POST', '/user/get/@me/keys', {
      key: author.key,
      json: { name: `key ${made}`, scopes: ['images:read'] },
    });
  const all = (await client.server('GET', '/admin/system/auditlog')).body;
  assert.ok(all.message.length >= 31);
  const login = all.message.find((entry: { type: string }) => entry.type === 'USER_LOGIN');
  assert.is(login.user.username, author.username);
  assert.is(login.source, login.ipAddress);
  assert.is(login.time, login.at);
  assert.type(login.description, 'string');
  assert.is(all.message[0].type, 'API_KEY_CREATE');
  const page = (await client.server('GET', '/admin/system/auditlog?page=0')).body;
  assert.is(page.message.length, 25);
});

test('system figures are flat numbers', async (world) => {
  const figures = await get(world, '/admin/system/metrics');
  for (const name of [
    'system.cpu.usage',
    'system.cpu.count',
    'process.cpu.usage',
    'process.uptime',
    'process.start.time',
    'jvm.memory.used',
    'jvm.memory.committed',
    'jvm.memory.max',
    'disk.free',
    'disk.total',
    'process.files.open',
    'process.files.max',
  ])
    assert.type(figures[name], 'number', name);
  assert.ok(figures['system.cpu.usage'] >= 0 && figures['system.cpu.usage'] <= 1);
  assert.ok(figures['jvm.memory.used'] > 0 && figures['jvm.memory.used'] <= figures['jvm.memory.committed']);
  assert.ok(figures['disk.free'] > 0 && figures['disk.free'] <= figures['disk.total']);
});

test('rows of accounts have what they stored', async (world) => {
  const { server, author } = world;
  await server.request('POST', '/image/upload', { key: author.key, form: fileForm('12345', 'a.txt') });
  const rows = await get(world, '/admin/user/get');
  const row = rows.find(({ username }: { username: string }) => username === author.username);
  assert.equal(row.stats, { totalUploads: 1, pastesCreated: 0, urlsShortened: 0, storageUsed: 5 });
  const fresh = await server.account();
  const empty = (await get(world, `/admin/user/get?search=${fresh.username}`))[0];
  assert.equal(empty.stats, { totalUploads: 0, pastesCreated: 0, urlsShortened: 0, storageUsed: 0 });
});

test('a changed account is answered to the portal as a text, and to others with it, too', async ({
  server,
  client,
}) => {
  const user = await server.account();
  const answer = await client.server('PUT', `/admin/user/${user.id}`, {
    json: { username: `renamed${user.id}` },
  });
  assert.is(answer.status, 200);
  // The portal shows the message as it is.
  assert.is(answer.body.message, 'Updated');
  assert.is(answer.body.text, 'Updated');
  const plain = await server.request('PUT', `/admin/user/${user.id}`, {
    key: server.owner.key,
    json: { avatar: '' },
  });
  assert.is(plain.body.message.username, `renamed${user.id}`);
  assert.is(plain.body.message.text, 'Updated');
});

test('lists of one account are whole without a limit', async (world) => {
  const { server } = world;
  const user = await server.account();
  for (let made = 0; made < 30; made += 1) {
    await server.request('POST', '/paste/create', { key: user.key, json: { text: `${made}` } });
    await server.request('POST', '/url/create', { key: user.key, json: { url: 'https://example.com' } });
  }
  assert.is((await get(world, `/admin/user/${user.id}/pastes`)).length, 30);
  assert.is((await get(world, `/admin/user/${user.id}/urls`)).length, 30);
  assert.is((await get(world, `/admin/user/${user.id}/pastes?limit=7`)).length, 7);
});

test('images are filtered by format, place, id, account and day', async (world) => {
  const { server } = world;
  const [one, two] = [await server.account(), await server.account()];
  const upload = async (key: string, name: string, uniqueId: string) =>
    server.request('POST', '/image/upload', { key, form: fileForm(`${uniqueId} words`, name, { uniqueId }) });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  await upload(one.key, 'a.txt', 'Alpha-1');
  await upload(two.key, 'b.txt', 'alpha-2');
  await server.request('POST', '/image/upload', {
    key: one.key,
    form: fileForm(svg, 'c.svg', { uniqueId: 'beta-1' }, 'image/svg+xml'),
  });
  const list = async (query: string) => {
    const { content } = await get(world, `/admin/images?includeUsers=${one.id},${two.id}&${query}`);
    return idsOf(content);
  };
  assert.equal(await list(''), ['Alpha-1', 'alpha-2', 'beta-1']);
  assert.equal(await list('formats=svg'), ['beta-1']);
  assert.equal(await list('formats=svg,TXT'), ['Alpha-1', 'alpha-2', 'beta-1']);
  assert.equal(await list('uniqueId=ALPHA'), ['Alpha-1', 'alpha-2']);
  assert.equal(await list(`uniqueId=alpha&excludeUsers=${two.id}`), ['Alpha-1']);
  assert.equal(await list('location=LOCAL&formats=svg'), ['beta-1']);
  assert.equal(await list('location=R2'), []);
  assert.equal(await list('uniqueId=%25'), []);
  const day = new Date().toISOString().slice(0, 10);
  const pageable = async (query: string) =>
    idsOf((await get(world, `/admin/user/${one.id}/images/pageable?${query}`)).images);
  assert.equal(await pageable('formats=svg'), ['beta-1']);
  assert.equal(await pageable(`from=${day}&to=${day}`), ['Alpha-1', 'beta-1']);
  assert.equal(await pageable('to=2001-01-01'), []);
  assert.is((await world.client.server('GET', '/admin/images?location=MOON')).status, 400);
  assert.is((await world.client.server('GET', '/admin/images?includeUsers=nobody')).status, 400);
});

test('pastes and links are filtered, links also by visits, limit and end', async (world) => {
  const { server } = world;
  const user = await server.account();
  const link = async (json: object) =>
    server.request('POST', '/url/create', {
      key: server.owner.key,
      json: { url: 'https://example.com', ...json },
    });
  const paste = await server.request('POST', '/paste/create', { key: user.key, json: { text: 'a' } });
  const pastes = await get(
    world,
    `/admin/pastes?includeUsers=${user.id}&uniqueId=${paste.body.uniqueId.slice(1, 7)}`,
  );
  assert.equal(idsOf(pastes.content), [paste.body.uniqueId]);
  assert.equal(
    idsOf((await get(world, `/admin/pastes?includeUsers=${user.id}&excludeUsers=${user.id}`)).content),
    [],
  );
  await link({ uniqueId: 'lk-free' });
  await link({ uniqueId: 'lk-once', maxUses: 1 });
  await link({ uniqueId: 'lk-five', maxUses: 5 });
  await server.request('GET', '/url/r/lk-once');
  await server.request('GET', '/url/r/lk-five');
  const list = async (query: string) =>
    idsOf((await get(world, `/admin/urls?uniqueId=lk-&${query}`)).content);
  assert.equal(await list('minVisits=1'), ['lk-five', 'lk-once']);
  assert.equal(await list('maxVisits=0'), ['lk-free']);
  assert.equal(await list('maxUses=5'), ['lk-five']);
  assert.equal(await list('maxUses=-1'), ['lk-free']);
  assert.equal(await list('expired=true'), ['lk-once']);
  assert.equal(await list('expired=false&minVisits=1'), ['lk-five']);
});

test("an administrator's key sets and removes the password of anybody's image", async (world) => {
  const { server, client, author } = world;
  const made = await server.request('POST', '/image/upload', {
    key: author.key,
    form: fileForm('abc', 'a.txt'),
  });
  const path = `/image/password/${made.body.uniqueId}`;
  assert.is((await client.server('PUT', path, { json: { password: 'open sesame' } })).status, 200);
  assert.is((await server.request('GET', `/image/get/${made.body.uniqueId}`)).status, 403);
  assert.is((await client.server('PUT', path, { json: { password: '' } })).status, 200);
  assert.is((await server.request('GET', `/image/get/${made.body.uniqueId}`)).status, 200);
  const other = await server.account('MODERATOR');
  assert.is((await server.request('PUT', path, { key: other.key, json: { password: 'xyz' } })).status, 401);
});

test('moving an image to another store says that there is none', async (world) => {
  const { server, client, author } = world;
  const made = await server.request('POST', '/image/upload', {
    key: author.key,
    form: fileForm('abc', 'a.txt'),
  });
  const answer = await client.server('POST', `/admin/images/${made.body.uniqueId}/migrate`);
  assert.is(answer.status, 400);
  assert.match(answer.body.message, 'no other store');
  assert.is((await client.server('POST', '/admin/images/NOTHING1/migrate')).status, 404);
});

test('the page behind a verification link leads to the portal', async ({ server }) => {
  const page = await server.request('GET', '/auth/verify/token?code=nothing');
  assert.match(page.text, 'href="http://portal.example:3000/login"');
});

test('so do the pages of the six digits and of a forgotten password', async ({ server }) => {
  const login = 'http://portal.example:3000/login';
  const stranger = await server.request('GET', '//web/verify');
  assert.equal([stranger.status, stranger.headers.get('location')], [303, login]);
  assert.match((await server.request('GET', '//web/password-reset')).text, `href="${login}"`);
  const form = new URLSearchParams({ email: 'nobody@example.com' });
  assert.match((await server.request('POST', '//web/password-reset', { form })).text, `href="${login}"`);
  const joined = await registerNewcomer(server);
  const code = digitsIn(await newestMailTo(server, joined.email));
  const verified = await server.request('POST', '//web/verify', {
    form: new URLSearchParams({ action: 'verify', code }),
    headers: cookies({ verify_token: joined.verifyToken }),
  });
  assert.is(verified.status, 200, 'a form is not redirected to another site');
  assert.match(verified.text, 'Your account is active');
  assert.match(verified.text, `href="${login}"`);
});

test.run();
