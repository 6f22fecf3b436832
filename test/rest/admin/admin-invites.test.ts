// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import { cookies, newInvite, registerNewcomer, sessionOf } from '../../support/accounts/accounts.js';

interface World {
  server: TestServer;
}
const invites = suite<World>('administration of invites');

invites.before(async (world) => {
  world.server = await startServer();
});
invites.after(({ server }) => server.close());

invites(
  '202: one invite is returned as an object, several as a list of codes with the prefix',
  async ({ server }) => {
    const { key } = server.owner;
    const create = (json: unknown, query = '') =>
      server.request('POST', `/admin/invite/create${query}`, { key, json });
    const one = await create({});
    assert.is(one.status, 202);
    const { code, used, usedAt, usedBy, createdBy } = one.body.message;
    assert.match(code, /^[0-9a-f]{32}$/);
    assert.equal([used, usedAt, usedBy, createdBy.username], [false, null, null, 'owner']);
    const many = await create({ amount: 3, prefix: 'team-' });
    assert.is(many.body.message.length, 3);
    assert.is(many.body.count, 3);
    for (const each of many.body.message) assert.match(each, /^team-[0-9a-f]{32}$/);
    assert.is((await create({}, '?amount=2')).body.message.length, 2);
    assert.is((await create({ code: 'Spring-Party' })).body.message.code, 'Spring-Party');
    for (const bad of [
      { code: 'spring-party' },
      { code: 'ab' },
      { code: 'elevenchars', role: 'MODERATOR' },
      { code: 'elevenchar2', role: 'ADMIN' },
      { code: 'x y' },
      { code: 'mine', amount: 2 },
      { amount: 0 },
      { amount: 101 },
      { maxUses: 0 },
      { expiresAt: '2001-01-01' },
      { role: 'DELETED' },
    ])
      assert.is((await create(bad)).status, 400, JSON.stringify(bad));
  },
);

invites('invites are listed with the accounts that used them, and can be revoked', async ({ server }) => {
  const { key } = server.owner;
  const free = await newInvite(server);
  const { username } = await registerNewcomer(server);
  const list = async (query: string) =>
    (await server.request('GET', `/admin/invite/get${query}`, { key })).body.message;
  const used = await list('?used=true');
  assert.is(used[0].usedBy.username, username);
  assert.ok(used[0].usedAt);
  assert.ok(used.every((invite: { used: boolean }) => invite.used));
  assert.is((await list('?used=false'))[0].code, free);
  assert.is((await list('?size=1')).length, 1);
  assert.is((await server.request('DELETE', `/admin/invite/${free}`, { key })).status, 200);
  assert.is((await server.request('DELETE', `/admin/invite/${free}`, { key })).status, 404);
  const json = {
    username: 'latecomer',
    email: 'late@example.com',
    password: 'long enough',
    inviteCode: free,
  };
  assert.is((await server.request('POST', '/auth/register', { json })).status, 403);
});

invites('nobody can create an invite for a role above their own', async ({ server }) => {
  const { key } = await server.account('ADMIN');
  const create = (role: string) => server.request('POST', '/admin/invite/create', { key, json: { role } });
  assert.is((await create('OWNER')).status, 403);
  assert.is((await create('ADMIN')).status, 202);
});

invites(
  'an invite for a higher role is listed, but its code is hidden and it cannot be revoked',
  async ({ server }) => {
    const admin = await server.account('ADMIN');
    const code = await newInvite(server, { role: 'OWNER' });
    const newest = async (key: string) =>
      (await server.request('GET', '/admin/invite/get?size=1', { key })).body.message[0];
    const revoke = (key: string) => server.request('DELETE', `/admin/invite/${code}`, { key });
    const asPage = await server.request('GET', '//web/admin/invites', {
      headers: cookies({ session_token: await sessionOf(server, admin) }),
    });
    const asProcedure = await server.request('GET', '//trpc/admin.invites?input=%7B%7D', { key: admin.key });
    for (const { status, text } of [asPage, asProcedure])
      assert.ok(status === 200 && text.length > 0 && !text.includes(code));
    assert.match(asPage.text, /Hidden, role: Owner/);
    const { code: shown, role, used } = await newest(admin.key);
    assert.equal([shown, role, used], ['', 'OWNER', false]);
    assert.is((await revoke(admin.key)).status, 404);
    assert.is((await newest(server.owner.key)).code, code);
    assert.is((await revoke(server.owner.key)).status, 200);
  },
);

invites.run();
