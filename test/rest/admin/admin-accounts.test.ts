// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Role } from '../../../routers/base/roles.js';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { cookies, registerNewcomer, sessionOf, signIn } from '../../support/accounts/accounts.js';

interface World {
  server: TestServer;
}
const users = suite<World>('administration of accounts');

users.before(async (world) => {
  world.server = await startServer();
});
users.after(({ server }) => server.close());

const change = (server: TestServer, key: string, uid: number | string, json: unknown) =>
  server.request('PUT', `/admin/user/${uid}`, { key, json });
const remove = (server: TestServer, key: string, uid: number | string) =>
  server.request('DELETE', `/admin/user/${uid}`, { key });
const open = async (server: TestServer, session_token: string) =>
  (await server.request('GET', '/auth/me', { headers: cookies({ session_token }) })).status === 200;

users('accounts can be listed, searched and viewed', async ({ server }) => {
  const account = await server.account('TESTER');
  const { key } = server.owner;
  const list = async (query: string) =>
    (await server.request('GET', `/admin/user/get?${query}`, { key })).body;
  const byName = await list(`search=${account.username.slice(1, 9).toUpperCase()}`);
  assert.equal([byName.message[0].uid, byName.message[0].email], [account.id, account.email]);
  assert.is(byName.totalElements, 1);
  assert.ok((await list('role=tester')).message.every((user: { role: Role }) => user.role === 'TESTER'));
  assert.is((await list('search=%25')).message.length, 0);
  assert.is((await list('size=1')).message.length, 1);
  const one = await server.request('GET', `/admin/user/${account.id}`, { key });
  assert.equal([one.body.message.email, one.body.message.apiKey], [account.email, undefined]);
});

users('an administrator activates a pending account, whose code then ends', async ({ server }) => {
  const friend = await registerNewcomer(server);
  const found = await server.request('GET', `/admin/user/get?search=${friend.username}`, {
    key: server.owner.key,
  });
  const [{ uid }] = found.body.message;
  const activate = (key: string, id: number | string = uid) =>
    server.request('POST', `/admin/user/${id}/activate`, { key });
  assert.is((await signIn(server, friend)).status, 403);
  assert.is((await activate((await server.account()).key)).status, 403);
  assert.is((await activate(server.owner.key, 999_999)).status, 404);
  assert.is((await activate(server.owner.key)).status, 200);
  assert.is((await signIn(server, friend)).status, 200);
  const again = await activate(server.owner.key);
  assert.equal([again.status, again.body.message], [400, 'This account is active already']);
  const log = await server.request('GET', '/admin/system/auditlog', { key: server.owner.key });
  const entry = log.body.message.find((one: { event: string }) => one.event === 'account.activated');
  assert.equal([entry.type, entry.actor.uid], ['USER_ACTIVATE', server.owner.id]);
});

users('an account can be changed, and a new password or address ends its sessions', async ({ server }) => {
  const { key } = server.owner;
  const account = await server.account();
  const session = await sessionOf(server, account);
  const renamed = await change(server, key, account.id, {
    username: 'renamed',
    avatar: 'https://example.com/a.png',
  });
  assert.is(renamed.status, 200);
  assert.equal(
    [renamed.body.message.username, renamed.body.message.avatar],
    ['renamed', 'https://example.com/a.png'],
  );
  assert.ok(await open(server, session));
  await change(server, key, account.id, { password: 'an entirely new one' });
  assert.is(await open(server, session), false);
  const second = await sessionOf(server, { ...account, password: 'an entirely new one' });
  await change(server, key, account.id, { email: 'moved@example.com' });
  assert.is(await open(server, second), false);
  assert.is(
    (await signIn(server, { email: 'moved@example.com', password: 'an entirely new one' })).status,
    200,
  );
});

users('400 for malformed or taken fields, 404 for unknown accounts', async ({ server }) => {
  const { key } = server.owner;
  const account = await server.account();
  for (const json of [
    { username: 'OWNER' },
    { username: 'a b' },
    { email: 'Owner@example.com' },
    { email: 'nonsense' },
    { password: 'short' },
    { role: 'KING' },
    { role: 'DELETED' },
    { avatar: 'javascript:alert(1)' },
  ])
    assert.is((await change(server, key, account.id, json)).status, 400, JSON.stringify(json));
  assert.is((await change(server, key, 99_999, { role: 'USER' })).status, 404);
  assert.is((await remove(server, key, 99_999)).status, 404);
  assert.is((await change(server, key, 'nonsense', { role: 'USER' })).status, 400);
});

const RANKED: readonly Role[] = ['OWNER', 'ADMIN', 'MODERATOR', 'USER'];

users('only a strictly higher role or an owner can change or delete an account', async ({ server }) => {
  for (const actorRole of ['ADMIN', 'OWNER'] as const) {
    const actor = await server.account(actorRole);
    for (const targetRole of RANKED) {
      const target = await server.account(targetRole);
      const allowed = actorRole === 'OWNER' || RANKED.indexOf(targetRole) > RANKED.indexOf(actorRole);
      const status = allowed ? 200 : 403;
      const named = `${actorRole} on ${targetRole}`;
      for (const json of [{ email: `x${target.email}` }, { password: 'long enough' }, { role: 'BANNED' }])
        assert.is((await change(server, actor.key, target.id, json)).status, status, named);
      assert.is((await remove(server, actor.key, target.id)).status, status, named);
    }
  }
});

users('nobody can raise an account above their own role, including their own account', async ({ server }) => {
  const actor = await server.account('ADMIN');
  const target = await server.account();
  assert.is((await change(server, actor.key, target.id, { role: 'OWNER' })).status, 403);
  assert.is((await change(server, actor.key, target.id, { role: 'ADMIN' })).status, 200);
  assert.is((await change(server, actor.key, actor.id, { role: 'OWNER' })).status, 403);
});

users('the last active owner cannot leave; if two leave at once, one stays', async () => {
  const server = await startServer();
  try {
    const { id, key } = server.owner;
    await server.account('OWNER', { status: 'PENDING' });
    for (const role of ['ADMIN', 'BANNED']) assert.is((await change(server, key, id, { role })).status, 403);
    assert.is((await remove(server, key, id)).status, 403);
    const second = await server.account('OWNER');
    const both = await Promise.all([
      change(server, key, second.id, { role: 'USER' }),
      change(server, second.key, id, { role: 'USER' }),
    ]);
    assert.equal(both.map(({ status }) => status).sort(), [200, 403]);
  } finally {
    await server.close();
  }
});

users(
  'deleting an account deletes its content, but not bytes that other accounts share',
  async ({ server }) => {
    const { key } = server.owner;
    const account = await server.account();
    const upload = async (who: string, text: string) =>
      (await server.request('POST', '/image/upload', { key: who, form: fileForm(text, 'a.txt') })).body
        .message;
    const shared = await upload(key, 'the same bytes');
    const gone = [await upload(account.key, 'the same bytes'), await upload(account.key, 'other bytes')];
    await Promise.all(Array.from({ length: 40 }, (_, n) => upload(account.key, `file ${n}`)));
    assert.is((await remove(server, key, account.id)).status, 200);
    for (const { uniqueId } of gone)
      assert.is((await server.request('GET', `/image/get/${uniqueId}`)).status, 404);
    assert.is((await server.request('GET', `/image/get/${shared.uniqueId}`)).text, 'the same bytes');
    const { db, jobs } = server.app.services;
    assert.equal(await db.read('images').where('owner_id', account.id), []);
    assert.is((await db.read('blobs')).length, 1);
    assert.is((await server.request('GET', `/user/get/${account.username}`, { key })).status, 404);
    await db.write((trx) => trx('jobs').update({ run_at: 0 }));
    await jobs.settle();
    assert.equal(await db.read('jobs'), []);
  },
);

users('an interrupted removal is resumed from the queue', async ({ server }) => {
  const account = await server.account();
  const form = fileForm('left behind', 'a.txt');
  await server.request('POST', '/image/upload', { key: account.key, form });
  const { db, jobs } = server.app.services;
  await db.write((trx) => jobs.add(trx, 'accountDeletion', { userId: account.id }));
  await jobs.settle();
  assert.equal(await db.read('users').where('id', account.id), []);
  assert.equal(await db.read('images').where('owner_id', account.id), []);
});

users('a change without fields changes nothing and is not logged', async ({ server }) => {
  const { key } = server.owner;
  const account = await server.account();
  assert.is((await change(server, key, account.id, {})).status, 200);
  const log = await server.request('GET', `/admin/system/auditlog?uid=${account.id}`, { key });
  assert.equal(log.body.message, []);
});

users('security events are logged, visible to administrators only', async ({ server }) => {
  const { key } = server.owner;
  const account = await server.account();
  await signIn(server, { ...account, password: 'wrong password' });
  await sessionOf(server, account);
  await change(server, key, account.id, { role: 'BANNED' });
  const log = await server.request('GET', `/admin/system/auditlog?uid=${account.id}`, { key });
  assert.equal(
    log.body.message.map(({ event }: { event: string }) => event),
    ['account.changed', 'login.succeeded', 'login.failed'],
  );
  const [entry] = log.body.message;
  assert.equal([entry.actor.username, entry.subjectId, entry.details.role], ['owner', account.id, 'BANNED']);
  assert.ok(entry.ipAddress);
  assert.is((await server.request('GET', '/admin/system/auditlog?event=nonsense', { key })).status, 400);
  const { key: other } = await server.account('MODERATOR');
  assert.is((await server.request('GET', '/admin/system/auditlog', { key: other })).status, 403);
});

users.run();
