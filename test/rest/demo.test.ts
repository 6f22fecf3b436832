// on both databases
/** A demo: what it shows, that nothing leaves it, and that nothing of a visitor is there after it began anew. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beginDemo, demoMadeFor } from '../../db/system/demo.js';
import { resetDemo } from '../../server/runtime/demo/index.js';
import { DEMO_ACCOUNTS, DEMO_MS } from '../../server/shared/demo.js';
import { fileForm, startServer, type TestServer } from '../harness.js';

const [PERSON, ADMIN] = DEMO_ACCOUNTS;

const test = suite<{ server: TestServer; trap: string; caught: () => number; close: () => void }>('a demo');
test.before(async (given) => {
  let caught = 0;
  const trap = createServer((socket) => {
    caught += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => trap.listen(0, '127.0.0.1', done));
  given.trap = `127.0.0.1:${(trap.address() as AddressInfo).port}`;
  given.caught = () => caught;
  given.close = () => trap.close();
  // Whatever reaches other servers leads into the trap.
  given.server = await startServer({
    DEMO: 'true',
    OUTBOUND_ALLOW: '127.0.0.1',
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: `smtp://${given.trap}`,
    OIDC_PROVIDERS: 'company',
    OIDC_COMPANY_ISSUER: `http://${given.trap}`,
    OIDC_COMPANY_CLIENT_ID: 'demo',
    REGISTRATION: 'open',
  });
});
test.after(async ({ server, close }) => {
  await server.close();
  close();
});

const signIn = async (server: TestServer, { username, password }: { username: string; password: string }) =>
  server.request('POST', '/auth/login', { json: { email: username, password } });
const keyOf = async (server: TestServer, account: (typeof DEMO_ACCOUNTS)[number]): Promise<string> => {
  const { status, body, text } = await signIn(server, account);
  assert.is(status, 200, text);
  return body.message.apiKey;
};
const home = (server: TestServer) => server.request('GET', '//', { headers: { accept: 'text/html' } });
const over = (server: TestServer, hours: number) =>
  resetDemo(server.app.services, Date.now() + hours * DEMO_MS);

/** What a person sees of their own, without what changes by itself. */
async function seen(server: TestServer) {
  const key = await keyOf(server, PERSON);
  const own = async (path: string) => (await server.request('GET', path, { key })).body.message;
  const items = (await own('/user/get/@me/items?size=100')).content as { kind: string; uniqueId: string }[];
  const inboxes = (await own('/email/mine')) as { email: string; totalEmails: number }[];
  const settings = await server.request('GET', '/admin/settings', { key: server.owner.key });
  const accounts = await server.request('GET', '/admin/user/get', { key: server.owner.key });
  return {
    items: items.map(({ kind, uniqueId }) => `${kind} ${uniqueId}`).sort(),
    inboxes: inboxes.map(({ email }) => email),
    settings: settings.body.message,
    accounts: accounts.body.message?.content?.map(({ username }: { username: string }) => username).sort(),
  };
}

test('says that it is one, with its accounts, on each page and in the status', async ({ server }) => {
  assert.is((await server.request('GET', '/status')).body.message.demo, true);
  assert.match((await home(server)).text, /This is a demo\. Everything is reset at \d\d:00 UTC\./);
  const { text } = await server.request('GET', '//web/login');
  for (const { username, password } of DEMO_ACCOUNTS) {
    assert.ok(text.includes(username) && text.includes(password));
    assert.is((await signIn(server, { username, password })).status, 200);
  }
});

test('has pictures, pastes, links, a collection and mails, which are found', async ({ server }) => {
  const key = await keyOf(server, PERSON);
  const { items, inboxes } = await seen(server);
  for (const kind of ['image', 'paste', 'url'])
    assert.ok(
      items.some((item) => item.toLowerCase().includes(kind)),
      kind,
    );
  const [inbox = ''] = inboxes;
  const mails = await server.request('GET', `/email/${inbox}/messages`, { key });
  assert.match(mails.text, /Who brings the stove/);
  const found = await server.request('GET', '/user/get/@me/items?search=stove', { key });
  assert.match(found.text, /Weekend at the lake/);
});

test('409 for whatever would send or fetch, and nothing is reached', async ({ server, trap, caught }) => {
  const key = await keyOf(server, PERSON);
  const admin = await keyOf(server, ADMIN);
  const owner = server.owner.key;
  const url = `http://${trap}/x`;
  const link = (await server.request('POST', '/url/create', { key, json: { url } })).body.message.uniqueId;
  const { inboxes } = await seen(server);
  await server.request('POST', '/domains', { key, json: { host: 'links.example.org' } });
  const asked: readonly (readonly [method: string, path: string, json: unknown, key?: string])[] = [
    ['POST', '/image/upload/url', { url }, key],
    ['PATCH', '/user/get/@me/settings/webhook', { url }, key],
    ['POST', '/user/get/@me/webhook/test', {}, key],
    ['POST', `/url/get/${link}/check`, {}, key],
    ['POST', '/domains/links.example.org/check', {}, key],
    ['PUT', `/email/${inboxes[0]}/forward`, { to: 'me@example.net' }, key],
    [
      'PUT',
      `/email/${inboxes[0]}/rules`,
      { rules: [{ when: {}, do: [{ forward: 'demo@example.org' }] }] },
      key,
    ],
    ['POST', '/email/send', { to: 'me@example.net', subject: 'x', content: 'x' }, admin],
    ['POST', '/auth/register', { username: 'visitor', email: 'v@example.net', password: 'some password' }],
    ['POST', '/auth/reset/request', { email: 'demo@example.org' }],
    ['POST', '/admin/settings/test-mail', {}, owner],
    ['POST', '/admin/settings/test-oidc', { name: 'company' }, owner],
    ['PATCH', '/admin/settings', { SMTP_URL: `smtp://${trap}` }, owner],
    ['GET', '/auth/oidc/company/start', undefined],
    ['GET', '/chatapp/start', undefined],
  ];
  for (const [method, path, json, as] of asked) {
    const { status, text } = await server.request(method, path, {
      ...(as === undefined ? {} : { key: as }),
      ...(json === undefined ? {} : { json }),
    });
    assert.is(status, 409, `${method} ${path}: ${status} ${text}`);
    assert.match(text, /demo/, path);
  }
  await server.app.services.jobs.settle();
  assert.is(caught(), 0);
});

test('begins anew as it was first: nothing of a visitor is left, in whatever they did', async ({
  server,
}) => {
  await over(server, 1);
  const before = await seen(server);
  const key = await keyOf(server, PERSON);
  const admin = await keyOf(server, ADMIN);
  const picture = before.items.find((item) => item.toLowerCase().startsWith('image'))?.split(' ')[1] ?? '';
  const bytes = (await server.request('GET', `/image/get/${picture}`)).text;
  const sent = await server.request('POST', '/image/upload', {
    key,
    form: fileForm('a visitor was here', 'a.txt'),
  });
  const mine = sent.body.uniqueId;
  assert.is((await server.request('DELETE', `/image/get/${picture}`, { key })).status, 200);
  await server.request('PATCH', '/admin/settings', { key: admin, json: { REGISTRATION: 'closed' } });
  await server.request('PATCH', '/admin/branding', { key: admin, json: { name: 'Taken over' } });
  const changed = await server.request('PUT', '/user/get/@me/password', {
    key,
    json: { currentPassword: PERSON.password, newPassword: 'only I know this' },
  });
  assert.is(changed.status, 200, changed.text);
  const cookie = (await signIn(server, ADMIN)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await over(server, 2);
  assert.equal(await seen(server), before);
  assert.is((await server.request('GET', `/image/get/${mine}`)).status, 404);
  assert.is((await server.request('GET', `/image/get/${picture}`)).text, bytes);
  assert.is((await server.request('GET', '/auth/validate', { headers: { cookie } })).status, 401);
  assert.not.match((await home(server)).text, /Taken over/);
  for await (const { sha256 } of server.app.services.storage.blobs.list())
    assert.is((await server.app.services.storage.blobs.read(sha256)).includes('a visitor was here'), false);
  // Found by its words, as first.
  const found = await server.request('GET', '/user/get/@me/items?search=stove', {
    key: await keyOf(server, PERSON),
  });
  assert.match(found.text, /Weekend at the lake/);
});

test('begins anew once an hour, whichever process is first', async ({ server }) => {
  const key = await keyOf(server, PERSON);
  const create = () => server.request('POST', '/paste/create', { key, json: { text: 'stays' } });
  const { uniqueId } = (await create()).body;
  await over(server, 2);
  assert.is((await server.request('GET', `/paste/get/${uniqueId}`)).status, 200);
  await Promise.all([over(server, 3), over(server, 3), over(server, 3)]);
  assert.is((await server.request('GET', `/paste/get/${uniqueId}`)).status, 404);
  assert.is((await create()).status, 200);
});

test('a start that was killed while it made the demo is made up for, and other databases are refused', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-demo-'));
  const databaseUrl = process.env.HOLDALL_TEST_DB === 'postgres';
  if (databaseUrl) return rm(dataDir, { recursive: true });
  try {
    const first = await startServer({ DATA_DIR: dataDir, DEMO: 'true' });
    const whole = await seen(first);
    // What is there when a process dies in between.
    await beginDemo(first.app.services.db, Date.now());
    assert.is(await demoMadeFor(first.app.services.db), null);
    await first.close();
    const second = await startServer({ DATA_DIR: dataDir, DEMO: 'true' });
    assert.is((await seen(second)).items.length, whole.items.length);
    await second.close();
    await startServer({ DATA_DIR: dataDir }).then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /is that of a demo/),
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('a database with accounts is refused, and stays as it is', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-demo-'));
  if (process.env.HOLDALL_TEST_DB === 'postgres') return rm(dataDir, { recursive: true });
  try {
    const first = await startServer({ DATA_DIR: dataDir });
    await first.close();
    await startServer({ DATA_DIR: dataDir, DEMO: 'true' }).then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /this database has accounts/),
    );
    const again = await startServer({ DATA_DIR: dataDir });
    assert.is((await signIn(again, first.owner)).status, 200);
    await again.close();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test.run();
