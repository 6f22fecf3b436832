// on both databases
/** A paused account reads, and can neither create, change nor delete, by any route. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routes } from '../../../rest-adapter/routes/index.js';
import { appRouter } from '../../../routers/index.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';
import { pathOf, tusOf } from '../../support/uploads/tus.js';

interface World {
  server: TestServer;
  user: TestAccount;
}
const test = suite<World>('paused accounts');

test.before.each(async (world) => {
  world.server = await startServer();
  world.user = await world.server.account();
});
test.after.each(({ server }) => server.close());

const TEXT = 'You can view resources, but cannot create, edit, or delete them.';
const pause = (server: TestServer, uid: number, json: object = { indefinite: true }) =>
  server.request('POST', `/admin/limits/users/${uid}/pause`, { key: server.owner.key, json });
const resume = (server: TestServer, uid: number) =>
  server.request('DELETE', `/admin/limits/users/${uid}/pause`, { key: server.owner.key });

interface Declared {
  readonly _def: { readonly type: string; readonly meta?: { readonly whilePaused: boolean } };
}
const procedures = appRouter._def.procedures as unknown as Readonly<Record<string, Declared>>;

/** Whether a procedure changes something, and does not declare that a pause leaves it alone. */
const isHeld = (name: string): boolean =>
  procedures[name]?._def.type === 'mutation' && procedures[name]._def.meta?.whilePaused !== true;

test('every route that changes something is refused with the reason', async ({ server }) => {
  const moderator = await server.account('MODERATOR');
  await pause(server, moderator.id);
  const wrong: string[] = [];
  for (const { method, path, procedure } of routes) {
    if (!isHeld(procedure)) continue;
    const target = path.replace(/\{\w+\}/g, '1');
    const { status, body } = await server.request(method, target, {
      key: moderator.key,
      ...(method === 'GET' ? {} : { json: {} }),
    });
    const refusedAsRole = status === 403 && body.message === 'Your account may not do this';
    if (!refusedAsRole && !(status === 403 && body.message.includes(TEXT)))
      wrong.push(`${method} ${path}: ${status} ${body?.message}`);
  }
  assert.equal(wrong, []);
});

test('every procedure that changes something is refused too', async ({ server, user }) => {
  await pause(server, user.id);
  const wrong: string[] = [];
  for (const procedure of Object.keys(procedures)) {
    if (!isHeld(procedure)) continue;
    const { status, text } = await server.request('POST', `//trpc/${procedure}`, { key: user.key, json: {} });
    if (status !== 403) wrong.push(`${procedure}: ${status} ${text.slice(0, 80)}`);
  }
  assert.equal(wrong, []);
});

test('reading, signing in and signing out go on', async ({ server, user }) => {
  const { key } = user;
  const made = await server.request('POST', '/paste/create', { key, json: { text: 'mine', private: true } });
  await pause(server, user.id);
  const get = (path: string) => server.request('GET', path, { key });
  assert.is((await get(`/paste/get/${made.body.uniqueId}`)).status, 200);
  assert.is((await get('/user/get/@me')).status, 200);
  const standing = (await get('/limits/me')).body.message;
  assert.equal([standing.paused, standing.pausedUntil], [true, null]);
  const { email, password } = user;
  const signedIn = await server.request('POST', '/auth/login', { json: { email, password } });
  assert.is(signedIn.status, 200);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  assert.is((await server.request('POST', '/auth/logout', { headers: { cookie } })).status, 200);
});

test('what is sent only to be answered goes on', async ({ server, user }) => {
  const { key } = user;
  await server.request('POST', '/image/upload', { key, form: fileForm('mine', 'a.txt') });
  await pause(server, user.id);
  const sha256 = createHash('sha256').update('mine').digest('hex');
  const known = await server.request('POST', '/image/known', { key, json: { sha256: [sha256] } });
  assert.equal([known.status, known.body.message.length], [200, 1]);
  const form = fileForm(await jpegPhoto(), 'a.jpg', { direction: 'horizontal' });
  assert.is((await server.request('POST', '/tools/image/flip', { key, form })).status, 200);
});

test('a pause ends by itself, or by an administrator', async ({ server, user }) => {
  const { key } = user;
  const begun = await pause(server, user.id, { durationMinutes: 5 });
  const { paused, pausedIndefinitely, pausedUntil } = begun.body.message;
  assert.equal([paused, pausedIndefinitely], [true, false]);
  const create = () => server.request('POST', '/paste/create', { key, json: { text: 'a' } });
  const refused = await create();
  assert.is(refused.body.message, `Your account is paused until ${pausedUntil}. ${TEXT}`);
  assert.ok(Number(refused.headers.get('retry-after')) > 200);
  await server.app.services.db.write((trx) =>
    trx('users')
      .where('id', user.id)
      .update({ paused_until: Date.now() - 1 }),
  );
  assert.is((await create()).status, 200);
  const over = await server.request('GET', `/admin/limits/users/${user.id}`, { key: server.owner.key });
  assert.is(over.body.message.paused, false);
  assert.is.not(over.body.message.pausedUntil, null);
  await pause(server, user.id);
  assert.is((await create()).body.message, `Your account is paused indefinitely. ${TEXT}`);
  assert.is((await resume(server, user.id)).body.message.paused, false);
  assert.is((await create()).status, 200);
});

test('a pause needs a duration, and administrators cannot be paused', async ({ server, user }) => {
  const wrong = await pause(server, user.id, {});
  assert.equal([wrong.status, wrong.body.message], [400, 'durationMinutes must be greater than zero']);
  assert.is((await pause(server, server.owner.id)).status, 400);
  assert.is((await pause(server, 99_999)).status, 404);
});

test('links and addresses of a paused account do nothing for it', async ({ server, user }) => {
  const { key } = user;
  const made = await server.request('POST', '/image/upload', { key, form: fileForm('a', 'a.txt') });
  const reserved = await server.request('POST', '/image/generate-upload-url', {
    key,
    json: { contentType: 'text/plain', size: 1 },
  });
  const packed = await server.request('POST', '/files/presigned-url/put?filename=a-b.txt', { key });
  const tus = tusOf(server);
  const begun = pathOf(await tus.create(key, 10));
  await pause(server, user.id);
  const token = new URL(made.body.message.urlSet.deletionUrl).searchParams.get('token');
  const deletion = await server.request('POST', '//trpc/library.deleteByLink', {
    json: { kind: 'image', uniqueId: made.body.uniqueId, token },
  });
  assert.is(deletion.status, 403);
  for (const { url } of [reserved.body, packed.body])
    assert.is((await fetch(url, { method: 'PUT', body: 'a' })).status, 403);
  const refused = [
    await tus.create(key, 10),
    await tus.patch(begun, 0, Buffer.from('abc')),
    await tus.end(begun),
  ];
  for (const { status, text } of refused) assert.match(`${status} ${text}`, /^403 .*Your account is paused/);
});

test('a paused account may still be a guest of others, and use the addresses that they gave it', async ({
  server,
  user,
}) => {
  const { key } = await server.account();
  const asked = await server.request('POST', '/request/create', { key, json: { title: 'Send me' } });
  const json = { contentType: 'text/plain', size: 1 };
  const reserved = await server.request('POST', '/image/generate-upload-url', { key, json });
  await pause(server, user.id);
  const tus = tusOf(server);
  const own = { headers: { 'x-api-key': user.key } };
  const link = { headers: { ...own.headers, 'x-request-id': asked.body.message.uniqueId } };
  const begun = await tus.create(undefined, 3, { filename: 'a.txt' }, link);
  assert.is(begun.status, 201, begun.text);
  assert.is((await tus.patch(pathOf(begun), 0, Buffer.from('abc'), own.headers)).status, 204);
  assert.is((await tus.settled(pathOf(begun))).body.message.state, 'done');
  const other = pathOf(await tus.create(undefined, 3, {}, link));
  const ended = await server.request('DELETE', other, {
    key: user.key,
    headers: { 'tus-resumable': '1.0.0' },
  });
  assert.is(ended.status, 204, ended.text);
  const headers = { ...own.headers, 'content-type': 'text/plain' };
  assert.is((await fetch(reserved.body.url, { method: 'PUT', body: 'a', headers })).status, 200);
});

test('pausing is in the audit log under the names of older clients', async ({ server, user }) => {
  await pause(server, user.id);
  await resume(server, user.id);
  const log = await server.request('GET', '/admin/system/auditlog', { key: server.owner.key });
  const types = log.body.message.map(({ type }: { type: string }) => type);
  assert.equal(types.slice(0, 2), ['USER_UNPAUSE', 'USER_PAUSE']);
});

test.run();
