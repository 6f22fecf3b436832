/** What holds at every door for the clients of other products. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOORS } from '../../../rest-adapter/doors/index.js';
import { DOOR_NAMES } from '../../../rest-adapter/doors/names.js';
import { plainProcedure } from '../../../routers/index.js';
import { readConfig } from '../../../server/runtime/config/config.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { cookies, sessionOf } from '../../support/accounts/accounts.js';
import { CALLS, type DoorCall, type Items, itemsOf } from '../../support/doors/calls.js';

const test = suite('doors');
let server: TestServer;
test.before(async () => {
  server = await startServer({ SHORT_URL_URL: 'http://short.example' });
});
test.after(() => server.close());

const send = (
  { method, path, options }: DoorCall,
  headers: Record<string, string>,
  items: Items,
  to = server,
) => {
  const { headers: own, ...more } = options?.(items) ?? {};
  const at = path.replace(/\{(\w+)\}/g, (_, name: keyof Items) => String(items[name]));
  return to.request(method, `/${at}`, { ...more, headers: { ...own, ...headers } });
};

/** Lets the named keys of an account that are called so end in the past. */
const endKey = ({ id }: TestAccount, name: string) =>
  server.app.services.db.write((trx) =>
    trx('api_keys')
      .where({ user_id: id, name })
      .update({ expires_at: Date.now() - 1 }),
  );

/** What a key of each kind gets. */
const KINDS: Readonly<Record<string, (call: DoorCall) => number>> = {
  none: ({ unknown = 401 }) => unknown,
  wrong: ({ unknown = 401 }) => unknown,
  expired: ({ unknown = 401 }) => unknown,
  'another scope': () => 403,
  'create only': ({ procedure, done = 200 }) => (plainProcedure(procedure).needs.creates ? done : 403),
  paused: ({ reads = false, done = 200 }) => (reads ? done : 403),
  full: ({ done = 200 }) => done,
};

/** The key of each kind for a call. */
async function keysFor(user: TestAccount, resting: TestAccount, { procedure }: DoorCall) {
  const named = async (json: object): Promise<string> =>
    (await server.request('POST', '/user/get/@me/keys', { key: user.key, json })).body.message.key;
  const { scope } = plainProcedure(procedure).needs;
  const scopes = scope === null ? ['stats:read'] : [scope];
  const expired = await named({ name: 'ended', scopes });
  await endKey(user, 'ended');
  return {
    none: null,
    wrong: 'wrong',
    expired,
    'another scope': scope === null ? undefined : await named({ name: 'other', scopes: ['stats:read'] }),
    'create only': scope === null ? undefined : await named({ name: 'adds', scopes, createOnly: true }),
    paused: resting.key,
    full: await named({ name: 'just', scopes }),
  };
}

test('the calls below reach every entrance of every door', () => {
  const entrances = DOOR_NAMES.flatMap((door) =>
    DOORS[door].entrances.map(({ method, path }) => `${door} ${method} ${path}`),
  );
  assert.equal(
    [...new Set(CALLS.map(({ door, method, entrance }) => `${door} ${method} ${entrance}`))].sort(),
    [...new Set(entrances)].sort(),
  );
});

test('every kind of key gets its class of status at every call, in the form of the door, and is never said', async () => {
  for (const call of CALLS.filter(({ open = false }) => !open)) {
    const [user, resting] = [await server.account(), await server.account()];
    const items = await itemsOf(server, user);
    const resting_ = await itemsOf(server, resting);
    const pause = { key: server.owner.key, json: { indefinite: true } };
    await server.request('POST', `/admin/limits/users/${resting.id}/pause`, pause);
    for (const [kind, key] of Object.entries(await keysFor(user, resting, call))) {
      if (key === undefined) continue;
      const expected = KINDS[kind]?.(call);
      const answer = await send(
        call,
        key === null ? {} : { [call.header ?? 'authorization']: call.header ? key : `Bearer ${key}` },
        kind === 'paused' ? resting_ : items,
      );
      const what = `${call.door} ${call.method} ${call.path} (${call.procedure}), key: ${kind}: ${answer.text}`;
      assert.is(answer.status, expected, what);
      assert.is(answer.headers.get('www-authenticate'), answer.status === 401 ? 'Bearer' : null, what);
      assert.not.ok('timestamp' in (answer.body ?? {}) && 'uniqueId' in (answer.body ?? {}), what);
      if (key) assert.not.ok(answer.text.includes(key) && key !== 'wrong', what);
    }
  }
});

test('an item of somebody else is refused and stays', async () => {
  const [user, other] = [await server.account(), await server.account()];
  for (const call of CALLS.filter(({ foreign }) => foreign !== undefined)) {
    const items = await itemsOf(server, user);
    const answer = await send(call, { 'x-api-key': other.key, authorization: `Bearer ${other.key}` }, items);
    assert.is(answer.status, call.foreign, `${call.door} ${call.method} ${call.path}: ${answer.text}`);
  }
});

test('every carrier of a key counts', async () => {
  const user = await server.account();
  const basic = `Basic ${Buffer.from(`anybody:${user.key}`).toString('base64')}`;
  const items = await itemsOf(server, user);
  for (const call of CALLS.filter(
    ({ authorizedOnly = false, ends = false, open = false }) => !authorizedOnly && !ends && !open,
  ))
    for (const headers of [
      { 'x-api-key': user.key },
      { authorization: `Bearer ${user.key}` },
      { authorization: basic },
    ])
      assert.is((await send(call, headers, items)).status, call.done ?? 200, `${call.door} ${call.path}`);
});

test('a GET takes no session cookie', async () => {
  const user = await server.account();
  const { cookie } = cookies({ session_token: await sessionOf(server, user) });
  const items = await itemsOf(server, user);
  for (const call of CALLS.filter(({ method, open = false }) => method === 'GET' && !open)) {
    const answer = await send(call, { cookie, origin: server.origin }, items);
    assert.is(answer.status, call.unknown ?? 401, call.path);
  }
});

test('a GET that another site makes a browser send takes no kept Basic credentials', async () => {
  const user = await server.account();
  const authorization = `Basic ${Buffer.from(`anybody:${user.key}`).toString('base64')}`;
  const items = await itemsOf(server, user);
  for (const call of CALLS.filter(({ method, open = false }) => method === 'GET' && !open)) {
    const answer = await send(call, { authorization, 'sec-fetch-site': 'cross-site' }, items);
    assert.is(answer.status, call.unknown ?? 401, call.path);
  }
});

test('doors are at the root of the main host, with the methods that they know', async () => {
  const { key } = await server.account();
  const statusOf = async (method: string, path: string) =>
    (await server.request(method, path, { key })).status;
  assert.is(await statusOf('POST', '/upload'), 404);
  assert.is(await statusOf('GET', '//upload'), 404);
  assert.is(await statusOf('POST', '//upload/more'), 404);
  assert.is(await statusOf('POST', '//upload'), 400);
  const { port } = new URL(server.origin);
  const headers = { host: 'short.example', 'x-api-key': key };
  const sent = httpRequest({ host: '127.0.0.1', port, path: '/upload', method: 'POST', headers }).end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  // There it is the id of a short link, which takes a GET.
  assert.is(answer.statusCode, 405);
});

test('SPEAKS opens doors by name, and an unknown word stops the start with the words that there are', async () => {
  assert.equal(readConfig({}).speaks, DOOR_NAMES);
  assert.equal(readConfig({ SPEAKS: 'ALL' }).speaks, DOOR_NAMES);
  assert.equal(readConfig({ SPEAKS: ' PicGo ,' }).speaks, ['picgo']);
  assert.equal(readConfig({ SPEAKS: 'none' }).speaks, []);
  assert.throws(() => readConfig({ SPEAKS: 'picgo,gopher' }), /SPEAKS: must be one of .*picgo/);
  const closed = await startServer({ SPEAKS: 'none' });
  try {
    const user = await closed.account();
    const items = await itemsOf(closed, user);
    for (const call of CALLS) {
      const { status } = await send(call, { 'x-api-key': user.key }, items, closed);
      assert.ok(status === 404 || status === 405, `${call.door} ${call.method} ${call.path}: ${status}`);
    }
  } finally {
    await closed.close();
  }
});

test('no door stands in openapi.json', async () => {
  const { body } = await server.request('GET', '/openapi.json');
  for (const { method, entrance } of CALLS)
    assert.is(body.paths[entrance]?.[method.toLowerCase()], undefined, entrance);
});

test.run();
