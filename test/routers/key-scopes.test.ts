// on both databases

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SCOPES, type Scope } from '../../routers/core/scopes.js';
import { appRouter, plainProcedure } from '../../routers/index.js';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { cookies, sessionOf } from '../support/accounts/accounts.js';

const test = suite<{ server: TestServer }>('keys and their scopes');

test.before(async (context) => {
  context.server = await startServer({ TRASH_DAYS: '30' });
});
test.after(({ server }) => server.close());

type Kind = 'query' | 'mutation';
const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { type: Kind } }>,
)
  .map(([name, { _def }]) => ({ name, kind: _def.type }))
  // It needs no scope, and after it the key of the test would be gone.
  .filter(({ name }) => name !== 'user.deleteThisKey');

const keyWith = async (server: TestServer, json: object): Promise<string> => {
  const answer = await server.request('POST', '/user/get/@me/keys', { key: server.owner.key, json });
  assert.is(answer.status, 200, answer.text);
  return answer.body.message.key;
};

const call = (server: TestServer, name: string, kind: Kind, key: string | undefined) =>
  server.request(kind === 'query' ? 'GET' : 'POST', `//trpc/${name}`, {
    key,
    ...(kind === 'query' ? {} : { json: {} }),
  });

test('every procedure says which scope it needs', () => {
  for (const { name } of procedures) assert.not.throws(() => plainProcedure(name).needs, name);
});

test('a key without the scope of a procedure is refused, and told which one is missing', async ({
  server,
}) => {
  const keys = new Map<Scope, string>();
  for (const scope of SCOPES)
    keys.set(
      scope,
      await keyWith(server, { name: scope, scopes: SCOPES.filter((other) => other !== scope) }),
    );
  const wrong: string[] = [];
  for (const { name, kind } of procedures) {
    const { scope } = plainProcedure(name).needs;
    if (scope === null) continue;
    const key = keys.get(scope);
    const answer = await call(server, name, kind, key);
    if (answer.status !== 403 || !answer.text.includes(`This key lacks the scope ${scope}`))
      wrong.push(`${name}: ${answer.status}`);
  }
  assert.equal(wrong, []);
});

test('a key with exactly the scope of a procedure is not refused for its scopes', async ({ server }) => {
  const keys = new Map<Scope, string>();
  for (const scope of SCOPES) keys.set(scope, await keyWith(server, { name: scope, scopes: [scope] }));
  // It also needs the scope of at least one kind, and has no input that names one.
  const forTrash = await keyWith(server, { name: 'trash', scopes: ['account:write', 'urls:write'] });
  const wrong: string[] = [];
  for (const { name, kind } of procedures) {
    const { scope } = plainProcedure(name).needs;
    const key = name === 'trash.empty' ? forTrash : keys.get(scope ?? 'stats:read');
    const answer = await call(server, name, kind, key);
    if (answer.text.includes('This key')) wrong.push(`${name}: ${answer.text}`);
  }
  assert.equal(wrong, []);
});

test('a key that may only create reaches nothing but what creates', async ({ server }) => {
  const key = await keyWith(server, { name: 'all', scopes: SCOPES, createOnly: true });
  const reached: string[] = [];
  for (const { name, kind } of procedures) {
    const answer = await call(server, name, kind, key);
    if (answer.status !== 403 && plainProcedure(name).needs.scope !== null) reached.push(name);
  }
  assert.equal(
    reached,
    procedures.map(({ name }) => name).filter((name) => plainProcedure(name).needs.creates),
  );
  const made = await server.request('POST', '/paste/create', { key, json: { text: 'a', private: true } });
  assert.is(made.status, 200);
  const { uniqueId } = made.body.message;
  assert.is((await server.request('GET', `/paste/get/${uniqueId}`, { key })).status, 403);
  assert.is((await server.request('DELETE', `/paste/get/${uniqueId}`, { key })).status, 403);
});

test('with all scopes a key is not the account: no equal is made, invited or changed', async ({ server }) => {
  const second = await server.account('OWNER');
  const admin = await server.account('ADMIN');
  const invite = await server.request('POST', '/admin/invite/create', {
    key: server.owner.key,
    json: { role: 'OWNER' },
  });
  const ofOwner = await keyWith(server, { name: 'whole', scopes: SCOPES });
  const ofAdmin = (
    await server.request('POST', '/user/get/@me/keys', {
      key: admin.key,
      json: { name: 'whole', scopes: SCOPES },
    })
  ).body.message.key;
  const made = (role: string) => {
    const username = `n${Math.random().toString(36).slice(2, 10)}`;
    return { username, email: `${username}@example.com`, password: 'tell nobody else', role };
  };
  for (const [key, self, peer, role, lower] of [
    [ofOwner, server.owner, second, 'OWNER', 'ADMIN'],
    [ofAdmin, admin, await server.account('ADMIN'), 'ADMIN', 'MODERATOR'],
  ] as const) {
    for (const { id } of [self, peer]) {
      const path = `/admin/user/${id}`;
      for (const json of [{ password: 'another one 1' }, { email: `x${id}@example.com` }, { role: 'USER' }])
        assert.is((await server.request('PUT', path, { key, json })).status, 403);
      assert.is((await server.request('DELETE', `${path}/totp`, { key })).status, 403);
      assert.is((await server.request('DELETE', path, { key })).status, 403);
    }
    const member = await server.account();
    const change = (to: string) =>
      server.request('PUT', `/admin/user/${member.id}`, { key, json: { role: to } });
    const create = (of: string) => server.request('POST', '/user/create', { key, json: made(of) });
    const ask = (of: string) => server.request('POST', '/admin/invite/create', { key, json: { role: of } });
    for (const act of [change, create, ask]) {
      assert.is((await act(role)).status, 403);
      assert.ok((await act(lower)).status < 300);
    }
    const listed = await server.request('GET', '/admin/invite/get', { key });
    assert.not.match(listed.text, invite.body.message.code);
  }
  const all = await server.request('GET', '/admin/invite/get', { key: server.owner.key });
  assert.match(all.text, invite.body.message.code);
});

test('administration alone reads no private content, and writing mail alone forwards none', async ({
  server,
}) => {
  const key = await keyWith(server, { name: 'admin', scopes: ['admin:read', 'mail:write'] });
  const author = await server.account();
  const idOf = async (fields: Record<string, string>) =>
    (
      await server.request('POST', '/image/upload', {
        key: author.key,
        form: fileForm('hidden words', 'a.txt', fields),
      })
    ).body.message.uniqueId;
  const bytes = async (id: string) =>
    (await server.request('GET', `/admin/image/get/${id}?base64=true`, { key })).status;
  assert.equal([await bytes(await idOf({ private: 'true' })), await bytes(await idOf({}))], [403, 200]);
  const hidden = await idOf({ password: 'open sesame' });
  assert.is(await bytes(hidden), 403);
  assert.is((await server.request('GET', `/admin/image/get/${hidden}`, { key })).status, 200);
  const pastes = `/admin/user/${author.id}/pastes`;
  assert.is((await server.request('GET', pastes, { key })).status, 200);
  assert.is((await server.request('GET', `${pastes}?content=true`, { key })).status, 403);
  const box = await server.request('POST', '/email/create', { key: server.owner.key, json: {} });
  const { email } = box.body.message;
  const forward = (by: string, to: string | null) =>
    server.request('PUT', `/email/${email}/forward`, { key: by, json: { to } });
  assert.is((await forward(key, 'stranger@example.com')).status, 403);
  const both = await keyWith(server, { name: 'mail', scopes: ['mail:read', 'mail:write'] });
  assert.is((await forward(both, 'friend@example.com')).status, 200);
  assert.is((await forward(key, null)).status, 200);
});

test('each tool gets a key of its own that only creates', async ({ server }) => {
  const holder = await server.account();
  const path = '/user/get/@me/uploaders/holdall-text.sxcu';
  const file = await server.request('POST', path, { key: holder.key });
  assert.is(file.status, 200);
  const key = JSON.parse(file.text).Headers['X-API-Key'];
  assert.is.not(key, holder.key);
  assert.is((await server.request('POST', '/paste/create', { key, json: { text: 'a' } })).status, 200);
  for (const [method, route] of [
    ['POST', '/url/create'],
    ['GET', '/user/get/@me'],
    ['POST', path],
  ] as const)
    assert.is(
      (await server.request(method, route, { key, ...(method === 'POST' && { json: {} }) })).status,
      403,
    );
  const [listed] = (await server.request('GET', '/user/get/@me/keys', { key: holder.key })).body.message
    .content;
  assert.is(listed.name, 'ShareX: text');
  assert.is(listed.createOnly, true);
  assert.equal(listed.scopes, ['pastes:write']);
});

test('the use of a key is shown with its time and address, and that of the main key is in the audit log', async ({
  server,
}) => {
  const holder = await server.account();
  const made = await server.request('POST', '/user/get/@me/keys', {
    key: holder.key,
    json: { name: 'reader', scopes: ['account:read'] },
  });
  const { key } = made.body.message;
  for (let times = 0; times < 5; times += 1) await server.request('GET', '/user/get/@me', { key });
  const listed = await server.request('GET', '/user/get/@me/keys', { key: holder.key });
  const [entry] = listed.body.message.content;
  assert.is(entry.lastUsedIp, '127.0.0.1');
  assert.ok(Date.parse(entry.lastUsedAt) >= Date.parse(entry.createdAt));
  const main = await server.request('GET', '/user/get/@me/apikey', { key: holder.key });
  assert.is(main.body.message.enabled, true);
  assert.is(main.body.message.lastUsedIp, '127.0.0.1');
  const log = await server.request('GET', `/admin/system/auditlog?uid=${holder.id}&event=key.used`, {
    key: server.owner.key,
  });
  assert.is(log.body.message.length, 1, 'once a day, not once a request');
});

test('the main key can be switched off, stays off after a recovery and comes back as another one', async ({
  server,
}) => {
  const holder = await server.account();
  const session = { headers: cookies({ session_token: await sessionOf(server, holder) }) };
  assert.is((await server.request('DELETE', '/user/get/@me/apikey', session)).status, 200);
  assert.is((await server.request('GET', '/user/get/@me', { key: holder.key })).status, 401);
  const me = await server.request('GET', '/user/get/@me', session);
  assert.is(me.status, 200);
  assert.is(me.body.message.apiKey, undefined);
  assert.is((await server.request('GET', '/user/get/@me/apikey', session)).body.message.enabled, false);
  const tool = '/user/get/@me/uploaders/holdall.sh';
  assert.is((await server.request('GET', tool, session)).status, 404);
  assert.is((await server.request('POST', tool, session)).status, 200);
  const set = await server.request('PUT', `/admin/user/${holder.id}`, {
    key: server.owner.key,
    json: { password: 'another password' },
  });
  assert.is(set.status, 200);
  const token = await sessionOf(server, { ...holder, password: 'another password' });
  const state = { headers: cookies({ session_token: token }) };
  assert.is((await server.request('GET', '/user/get/@me/apikey', state)).body.message.enabled, false);
  const on = await server.request('POST', '/user/get/@me/apikey', state);
  assert.is.not(on.body.message.apiKey, holder.key);
  assert.is((await server.request('GET', '/user/get/@me', { key: on.body.message.apiKey })).status, 200);
});

test('procedures for several kinds also need the scope of the kind', async ({ server }) => {
  const holder = await server.account();
  const keyFor = async (fields: object) =>
    (
      await server.request('POST', '/user/get/@me/keys', {
        key: holder.key,
        json: { name: 'k', scopes: ['account:read', 'account:write'], ...fields },
      })
    ).body.message.key;
  const create = async (key: string) =>
    (await server.request('POST', '/paste/create', { key, json: { text: 'secret text', private: true } }))
      .body.message.uniqueId;
  const trashed = await create(holder.key);
  await server.request('DELETE', `/paste/get/${trashed}`, { key: holder.key });
  const kept = await create(holder.key);
  const query = encodeURIComponent(JSON.stringify({ kind: 'paste', uniqueId: trashed }));
  const contents = (key: string) => server.request('GET', `//trpc/trash.contents?input=${query}`, { key });
  const call = (key: string, name: string, json: object) =>
    server.request('POST', `//trpc/${name}`, { key, json });

  const account = await keyFor({});
  const everything = { scopes: [...SCOPES] };
  const visitor = await keyFor({ ...everything, asVisitor: true });
  for (const key of [account, visitor]) {
    const answer = await contents(key);
    assert.is(answer.status, 403);
    assert.not.match(answer.text, 'secret text');
  }
  for (const [name, json] of [
    ['library.changeMany', { kind: 'paste', ids: [kept], private: false }],
    ['library.discardMany', { kind: 'paste', ids: [kept] }],
    ['trash.restore', { kind: 'paste', uniqueId: trashed }],
    ['trash.remove', { kind: 'paste', uniqueId: trashed }],
  ] as const)
    assert.match((await call(account, name, json)).text, 'lacks the scope pastes:write', name);
  const named = encodeURIComponent(JSON.stringify({ kind: 'paste', uniqueId: kept }));
  const described = await server.request('GET', `//trpc/library.deletable?input=${named}`, { key: account });
  assert.match(described.text, 'lacks the scope pastes:write', 'it would tell the title');
  assert.match((await call(account, 'trash.empty', {})).text, 'lacks the scope');
  const files = await keyFor({ scopes: ['account:write', 'images:write'] });
  const emptied = await server.request('DELETE', '/user/get/@me/trash', { key: files });
  assert.is(emptied.body.message, 'What this key may change was deleted from the trash');

  const all = await keyFor(everything);
  assert.match((await contents(all)).text, 'secret text', 'it was not the key of the trash that emptied it');
  assert.is((await call(all, 'trash.restore', { kind: 'paste', uniqueId: trashed })).status, 200);
  assert.is((await call(all, 'library.discardMany', { kind: 'paste', ids: [kept] })).status, 200);
  assert.is((await call(all, 'trash.empty', {})).status, 200);
  assert.is((await call(all, 'trash.restore', { kind: 'paste', uniqueId: kept })).status, 404);
});

test('a key with one scope does that and nothing else', async ({ server }) => {
  const key = await keyWith(server, { name: 'pastes', scopes: ['pastes:write'] });
  const made = await server.request('POST', '/paste/create', { key, json: { text: 'a', private: true } });
  assert.is(made.status, 200);
  for (const [method, path] of [
    ['GET', `/paste/get/${made.body.message.uniqueId}`],
    ['GET', '/image/get/NOTHING1'],
    ['GET', '/user/get/@me'],
    ['POST', '/url/create'],
  ] as const) {
    const answer = await server.request(method, path, { key, ...(method === 'POST' ? { json: {} } : {}) });
    assert.is(answer.status, 403, path);
    assert.match(answer.body.message, 'scope');
  }
});

test('a named key reaches neither the main key nor other keys, whatever its scopes', async ({ server }) => {
  const key = await keyWith(server, { name: 'all', scopes: SCOPES });
  const me = await server.request('GET', '/user/get/@me', { key });
  assert.is(me.status, 200);
  assert.not.match(me.text, server.owner.key);
  for (const [method, path, json] of [
    ['POST', '/user/get/@me/apikey', {}],
    ['POST', '/user/get/@me/keys', { name: 'x', scopes: SCOPES }],
    ['DELETE', '/user/get/@me/keys/1', {}],
    ['PATCH', '/user/get/@me/keys/1', { name: 'x' }],
  ] as const)
    assert.is((await server.request(method, path, { key, json })).status, 403, path);
  const file = await server.request('GET', '/user/get/@me/uploaders/holdall.sh', { key });
  assert.not.match(file.text, server.owner.key);
});

test('a key is shown once, listed without itself, changed, expires and is deleted', async ({ server }) => {
  const { key: owner } = server.owner;
  const made = await server.request('POST', '/user/get/@me/keys', {
    key: owner,
    json: { name: 'phone', scopes: ['images:write', 'images:read'], expiresAt: '2099-01-01' },
  });
  const { id, key, prefix } = made.body.message;
  assert.ok(key.startsWith(prefix));
  assert.is((await server.request('GET', '/image/playlist/@me', { key })).status, 200);
  const find = async () =>
    (await server.request('GET', '/user/get/@me/keys', { key: owner })).body.message.content.find(
      (entry: { id: number }) => entry.id === id,
    );
  const listed = await find();
  assert.not.match(JSON.stringify(listed), key);
  assert.equal(listed.scopes, ['images:read', 'images:write']);
  assert.is(listed.expiresAt, '2099-01-01T23:59:59.999Z', 'a date includes its day');
  const patch = (json: object) => server.request('PATCH', `/user/get/@me/keys/${id}`, { key: owner, json });
  assert.is((await patch({ name: 'old phone', expiresAt: null })).body.message.expiresAt, null);
  assert.equal((await find()).scopes, ['images:read', 'images:write']);
  const today = new Date().toISOString().slice(0, 10);
  assert.is((await patch({ expiresAt: today })).body.message.expiresAt, `${today}T23:59:59.999Z`);
  const over = (await patch({ expiresAt: '2001-01-01' })).body.message.expiresAt;
  assert.is(over, '2001-01-01T23:59:59.999Z', 'a moment that is over ends a key at once');
  assert.is((await server.request('GET', '/image/playlist/@me', { key })).status, 401);
  assert.is((await server.request('DELETE', `/user/get/@me/keys/${id}`, { key: owner })).status, 200);
  assert.is((await server.request('DELETE', `/user/get/@me/keys/${id}`, { key: owner })).status, 404);
  for (const json of [
    { name: '', scopes: ['images:read'] },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['root'] },
    { name: 'x', scopes: ['images:read'], expiresAt: '2001-01-01' },
  ])
    assert.is((await server.request('POST', '/user/get/@me/keys', { key: owner, json })).status, 400);
});

test('null and "" clear the flags of a key, and absent ones stay', async ({ server }) => {
  const { key } = server.owner;
  const made = await server.request('POST', '/user/get/@me/keys', {
    key,
    json: { name: 'plain', scopes: ['images:read'], asVisitor: null, createOnly: '' },
  });
  assert.is(made.status, 200, made.text);
  const path = `/user/get/@me/keys/${made.body.message.id}`;
  const flags = async (json: object) => {
    const { body, text } = await server.request('PATCH', path, { key, json });
    assert.is(body.error, false, text);
    return [body.message.asVisitor, body.message.createOnly];
  };
  assert.equal([made.body.message.asVisitor, made.body.message.createOnly], [false, false]);
  assert.equal(await flags({ asVisitor: true, createOnly: true }), [true, true]);
  assert.equal(await flags({ name: 'renamed' }), [true, true]);
  assert.equal(await flags({ asVisitor: null }), [false, true]);
  assert.equal(await flags({ createOnly: '' }), [false, false]);
});

test("another account's key is unknown to its caller", async ({ server }) => {
  const key = await server.request('POST', '/user/get/@me/keys', {
    key: server.owner.key,
    json: { name: 'mine', scopes: ['images:read'] },
  });
  const other = await server.account('ADMIN');
  const path = `/user/get/@me/keys/${key.body.message.id}`;
  assert.is((await server.request('DELETE', path, { key: other.key })).status, 404);
  assert.is((await server.request('PATCH', path, { key: other.key, json: { name: 'x' } })).status, 404);
});

test.run();
