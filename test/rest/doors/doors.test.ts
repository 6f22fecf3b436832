/** What holds at every door for the clients of other products. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOORS } from '../../../rest-adapter/doors/index.js';
import { DOOR_NAMES } from '../../../rest-adapter/doors/names.js';
import { needsOfProcedure } from '../../../routers/index.js';
import { readConfig } from '../../../server/runtime/config/config.js';
import { fileForm, type RequestOptions, startServer, type TestServer } from '../../harness.js';
import { cookies, sessionOf } from '../../support/accounts/accounts.js';

const test = suite('doors');
let server: TestServer;
test.before(async () => {
  server = await startServer({ SHORT_URL_URL: 'http://short.example' });
});
test.after(() => server.close());

/** A request to each operation that is answered with 200 if nothing forbids it. */
const CALLS: Readonly<Record<string, () => RequestOptions>> = {
  'POST /upload': () => ({ form: fileForm('some text', 'a.txt') }),
};

const operations = DOOR_NAMES.flatMap((door) =>
  DOORS[door].routes.map(({ method, path, procedure }) => ({
    ...{ door, method, path, procedure },
    send: (headers: Record<string, string>, to = server) =>
      to.request(method, `/${path}`, { ...CALLS[`${method} ${path}`]?.(), headers }),
  })),
);

/** What a key of each kind gets, of an operation that creates something or does not. */
const KINDS: Readonly<Record<string, (creates: boolean) => number>> = {
  none: () => 401,
  wrong: () => 401,
  'another scope': () => 403,
  'create only': (creates) => (creates ? 200 : 403),
  paused: () => 403,
  full: () => 200,
};

/** A key of each kind, by its name. */
async function keysOf(): Promise<Record<string, string | null>> {
  const [user, resting] = [await server.account(), await server.account()];
  const named = async (json: object): Promise<string> =>
    (await server.request('POST', '/user/get/@me/keys', { key: user.key, json })).body.message.key;
  const pause = { key: server.owner.key, json: { indefinite: true } };
  await server.request('POST', `/admin/limits/users/${resting.id}/pause`, pause);
  return {
    none: null,
    wrong: 'wrong',
    'another scope': await named({ name: 'reads', scopes: ['images:read'] }),
    'create only': await named({ name: 'adds', scopes: ['images:write'], createOnly: true }),
    paused: resting.key,
    full: user.key,
  };
}

test('every kind of key gets its class of status at every operation, and is never said where it is', async () => {
  const keys = await keysOf();
  for (const { door, method, path, procedure, send } of operations)
    for (const [kind, expected] of Object.entries(KINDS)) {
      const key = keys[kind];
      const answer = await send(key === null || key === undefined ? {} : { authorization: `Bearer ${key}` });
      const what = `${door} ${method} ${path}, key: ${kind}: ${answer.text}`;
      assert.is(answer.status, expected(needsOfProcedure(procedure).creates), what);
      assert.is(answer.headers.get('www-authenticate'), answer.status === 401 ? 'Bearer' : null, what);
      assert.not.ok('timestamp' in (answer.body ?? {}), what);
      if (key) assert.not.ok(answer.text.includes(key), what);
    }
});

test('every carrier of a key counts', async () => {
  const { key } = await server.account();
  const basic = `Basic ${Buffer.from(`anybody:${key}`).toString('base64')}`;
  for (const { path, send } of operations)
    for (const headers of [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { authorization: basic },
    ])
      assert.is((await send(headers)).status, 200, path);
});

test('a GET takes no session cookie', async () => {
  const user = await server.account();
  const { cookie } = cookies({ session_token: await sessionOf(server, user) });
  for (const { method, path, send } of operations)
    if (method === 'GET') assert.is((await send({ cookie, origin: server.origin })).status, 401, path);
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
  assert.throws(() => readConfig({ SPEAKS: 'picgo,gopher' }), /SPEAKS: must be one of picgo/);
  const closed = await startServer({ SPEAKS: 'none' });
  try {
    const { key } = await closed.account();
    for (const { path, send } of operations)
      assert.is((await send({ 'x-api-key': key }, closed)).status, 404, path);
  } finally {
    await closed.close();
  }
});

test('no door stands in openapi.json', async () => {
  const { body } = await server.request('GET', '/openapi.json');
  const described = Object.keys(body.paths);
  for (const { path } of operations) assert.not.ok(described.includes(path), path);
});

test.run();
