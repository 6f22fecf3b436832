import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { newcomer, newInvite } from '../support/accounts/accounts.js';

interface World {
  server: TestServer;
  account: TestAccount;
}
const fields = suite<World>('fields that callers may not set');

fields.before(async (world) => {
  world.server = await startServer();
  world.account = await world.server.account();
});
fields.after(({ server }) => server.close());

/** Columns of accounts and items, in both spellings, and names that reach into objects. */
const NAMES = [
  'id',
  'uid',
  'role',
  'status',
  'createdAt',
  'created_at',
  'invitedBy',
  'invited_by',
  'invitor',
  'passwordHash',
  'password_hash',
  'apiKey',
  'api_key',
  'avatarSha256',
  'avatar_sha256',
  'ownerId',
  'owner_id',
  'owner',
  'uploader',
  'userId',
  'user_id',
  'isPublic',
  'is_public',
  'visits',
  'views',
  'shadowed',
  'lookupId',
  'lookup_id',
  'sha256',
  'urlSettings',
  'embedSettings',
  'metadataPolicy',
  'constructor',
  '__proto__',
  'prototype',
  'toString',
];
const VALUES = [
  1,
  0,
  -1,
  'OWNER',
  'ADMIN',
  'ACTIVE',
  true,
  null,
  '',
  {},
  [],
  { role: 'OWNER' },
  { $ne: null },
];

const extras = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)), { minLength: 1, maxLength: 12 })
  // A plain object would take `__proto__` as its prototype; JSON carries it as a field.
  .map((pairs) => pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(','));

const RUNS = { numRuns: 25, seed: 20_260_131 };

/** Sends these fields, with the extra ones before and after them. */
function send(
  world: World,
  method: string,
  path: string,
  given: object,
  extra: string,
  key: string | undefined,
) {
  const inner = JSON.stringify(given).slice(1, -1);
  const body = `{${[extra, inner, extra.replaceAll(/"(password|uniqueId)"/g, '"x"')].filter((part) => part !== '').join(',')}}`;
  return world.server.request(method, path, { key, body, headers: { 'content-type': 'application/json' } });
}

const userRow = (server: TestServer, where: object) =>
  server.app.services.db.read('users').where(where).first();

fields('a registration creates an unverified USER, whatever else it says', async (world) => {
  const { server } = world;
  const inviteCode = await newInvite(server, { maxUses: 1000 });
  await fc.assert(
    fc.asyncProperty(extras, async (extra) => {
      const given = { ...newcomer(), inviteCode };
      const answer = await send(world, 'POST', '/auth/register', given, extra, undefined);
      assert.is(answer.status, 200, answer.text);
      const row = await userRow(server, { username: given.username });
      assert.equal([row.role, row.status, row.invited_by, row.avatar_sha256], ['USER', 'PENDING', 1, null]);
      assert.ok(row.password_hash.startsWith('$argon2id$'));
    }),
    RUNS,
  );
});

for (const [method, path] of [
  ['PATCH', '/user/me/socials'],
  ['PATCH', '/user/get/@me/settings/url'],
  ['PATCH', '/user/get/@me/settings/webhook'],
] as const) {
  fields(`${method} ${path} changes its own settings only`, async (world) => {
    const { server, account } = world;
    const facts = async () => {
      const {
        socials: _s,
        url_settings: _u,
        embed_settings: _e,
        ...rest
      } = await userRow(server, { id: account.id });
      return rest;
    };
    const before = await facts();
    await fc.assert(
      fc.asyncProperty(extras, async (extra) => {
        const answer = await send(world, method, path, {}, extra, account.key);
        assert.ok(answer.status < 300, answer.text);
        assert.equal(await facts(), before);
        const row = await userRow(server, { id: account.id });
        for (const column of ['socials', 'url_settings', 'embed_settings'])
          assert.is(row[column], '{}', column);
      }),
      RUNS,
    );
  });
}

fields('a paste and a link belong to their creator, with counters at zero', async (world) => {
  const { server, account } = world;
  const { db } = server.app.services;
  await fc.assert(
    fc.asyncProperty(extras, async (extra) => {
      const paste = await send(world, 'POST', '/paste/create', { text: 'x' }, extra, account.key);
      const url = await send(
        world,
        'POST',
        '/url/create',
        { url: 'https://example.com' },
        extra,
        account.key,
      );
      assert.equal([paste.status, url.status], [200, 200]);
      const stored = async (table: string, uniqueId: string) =>
        db.read(table).where('unique_id', uniqueId).first();
      assert.is((await stored('pastes', paste.body.message.uniqueId)).owner_id, account.id);
      const link = await stored('short_urls', url.body.message.uniqueId);
      assert.equal([link.owner_id, link.visits, Boolean(link.is_public)], [account.id, 0, true]);
    }),
    RUNS,
  );
});

fields('an administrator can set the five named fields of an account and no other', async (world) => {
  const { server } = world;
  const target = await server.account();
  const admin = await server.account('ADMIN');
  const before = await userRow(server, { id: target.id });
  const harmless = extras.filter((extra) => !extra.includes('"role"'));
  await fc.assert(
    fc.asyncProperty(harmless, async (extra) => {
      const answer = await send(world, 'PUT', `/admin/user/${target.id}`, {}, extra, admin.key);
      assert.is(answer.status, 200, answer.text);
      assert.equal(await userRow(server, { id: target.id }), before);
    }),
    RUNS,
  );
});

fields.run();
