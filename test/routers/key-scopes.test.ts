import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appRouter } from '../../routers/index.js';
import { SCOPES, type Scope, scopeOf } from '../../routers/scopes.js';
import { startServer, type TestServer } from '../harness.js';

const test = suite<{ server: TestServer }>('keys and their scopes');

test.before(async (context) => {
  context.server = await startServer();
});
test.after(({ server }) => server.close());

type Kind = 'query' | 'mutation';
const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { type: Kind } }>,
).map(([name, { _def }]) => ({ name, kind: _def.type }));

const keyWith = async (server: TestServer, json: object): Promise<string> => {
  const answer = await server.request('POST', '/user/get/@me/keys', { key: server.owner.key, json });
  assert.is(answer.status, 200, answer.text);
  return answer.body.message.key;
};

test('every procedure says which scope it needs', () => {
  for (const { name, kind } of procedures) assert.is.not(scopeOf(name, kind), undefined, name);
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
    const scope = scopeOf(name, kind);
    if (scope === null || scope === undefined) continue;
    const key = keys.get(scope);
    const answer = await server.request(kind === 'query' ? 'GET' : 'POST', `//trpc/${name}`, {
      key,
      ...(kind === 'query' ? {} : { json: {} }),
    });
    // Procedures that need no account of their own, such as signing in, are about credentials and not about keys.
    const named = answer.text.includes(`This key lacks the scope ${scope}`);
    if (!named && !(scope.startsWith('account:') && answer.status !== 200))
      wrong.push(`${name}: ${answer.status}`);
  }
  assert.equal(wrong, []);
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
    (await server.request('GET', '/user/get/@me/keys', { key: owner })).body.message.find(
      (entry: { id: number }) => entry.id === id,
    );
  const listed = await find();
  assert.not.match(JSON.stringify(listed), key);
  assert.equal(listed.scopes, ['images:read', 'images:write']);
  assert.is(listed.expiresAt, '2099-01-01T00:00:00.000Z');
  const patch = (json: object) => server.request('PATCH', `/user/get/@me/keys/${id}`, { key: owner, json });
  assert.is((await patch({ name: 'old phone', expiresAt: null })).body.message.expiresAt, null);
  assert.equal((await find()).scopes, ['images:read', 'images:write']);
  assert.is((await patch({ expiresAt: '2001-01-01' })).status, 200);
  assert.is((await server.request('GET', '/image/playlist/@me', { key })).status, 401);
  assert.is((await server.request('DELETE', `/user/get/@me/keys/${id}`, { key: owner })).status, 200);
  assert.is((await server.request('DELETE', `/user/get/@me/keys/${id}`, { key: owner })).status, 404);
  for (const json of [
    { name: '', scopes: ['images:read'] },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['root'] },
  ])
    assert.is((await server.request('POST', '/user/get/@me/keys', { key: owner, json })).status, 400);
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
