// on both databases
/** Callers who may not send a file, or not one of that size, are refused before it is stored anywhere. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SEEN_MS } from '../../server/runtime/http/context.js';
import { type Answer, fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { filesIn, nothingStaged } from '../hostile/guarantees.js';
import { ask, headOf } from '../hostile/raw.js';
import { cookies, sessionOf } from '../support/accounts/accounts.js';
import { zip } from '../support/media/archive-fixtures.js';
import { pngPhoto } from '../support/media/media-fixtures.js';
import { followRequests, justBefore } from '../support/servers/interleave.js';
import { until } from '../support/until.js';

const MiB = 1024 * 1024;
const MAX_UPLOAD = 12 * MiB;
/** Items that one account may create per minute. */
const CREATIONS = 1_200;
const ROWS = [
  ['POST', '/image/upload'],
  ['POST', '/image/upload/cloud'],
  ['POST', '/image/upload/zip'],
  ['PUT', '/user/get/@me/avatar'],
] as const;

const test = suite('checks before a file arrives');
let server: TestServer;
let outsiders: readonly TestAccount[];
test.before(async () => {
  server = await startServer({ MAX_UPLOAD_BYTES: String(MAX_UPLOAD), RATE_LIMIT: 'on' });
  followRequests(server.app.server);
  outsiders = [
    await server.account('BANNED'),
    await server.account('GUEST'),
    await server.account('USER', { status: 'PENDING' }),
  ];
});
test.after(() => server.close());

/** The answer to a bare file of which no more than `bytes` arrive. */
const beginFile = async (method: string, path: string, key: string, announced: number, bytes = 0) => {
  const head = headOf(method, `/v1${path}`, {
    'X-API-Key': key,
    'Content-Type': 'image/png',
    'Content-Length': String(announced),
  });
  const { status, body } = await ask(
    server.app.address.port,
    Buffer.concat([Buffer.from(head), Buffer.alloc(bytes)]),
  );
  return { status, message: JSON.parse(body.toString()).message };
};

const spend = (account: TestAccount, points: number) =>
  server.app.services.limits.rates.take('create', String(account.id), points);

for (const [method, path] of ROWS) {
  test(`${method} ${path}: accounts that may not create are refused before any byte of a bare file`, async () => {
    for (const { key } of outsiders) assert.is((await beginFile(method, path, key, MAX_UPLOAD)).status, 403);
  });

  test(`${method} ${path}: files in their forms are not stored, wherever the key precedes the file`, async () => {
    const large = new Uint8Array(MAX_UPLOAD + 1);
    for (const { key } of outsiders) {
      for (const fields of [{}, { key }]) {
        const form = fileForm(large, 'large.png', fields);
        const answer = await server.request(method, path, { form, key: 'key' in fields ? undefined : key });
        // If it were stored up to the limit, the limit would refuse it.
        assert.is(answer.status, 403);
      }
    }
    assert.is(await filesIn(server.dataDir, 'staging'), 0);
  });
}

/** Changes to an account while its file is being uploaded, and the answer to the file. */
const DECISIONS: Readonly<
  Record<
    string,
    readonly [status: number, decide: (account: TestAccount, session: string) => Promise<Answer>]
  >
> = {
  'the key is replaced': [401, ({ key }) => server.request('POST', '/user/get/@me/apikey', { key })],
  'the session is ended': [
    401,
    (_, session_token) => server.request('POST', '/auth/logout', { headers: cookies({ session_token }) }),
  ],
  'the account is banned': [
    403,
    ({ id }) =>
      server.request('PUT', `/admin/user/${id}`, { key: server.owner.key, json: { role: 'BANNED' } }),
  ],
};

for (const [what, [status, decide]] of Object.entries(DECISIONS)) {
  for (const [method, path] of ROWS.filter(([, path]) => path !== '/image/upload/cloud')) {
    test(`${method} ${path}: nothing is stored of a file in transit when ${what}`, async () => {
      const account = await server.account();
      const session_token = await sessionOf(server, account);
      const shown = what.includes('session') ? cookies({ session_token }) : { 'x-api-key': account.key };
      const sending = request(`${server.base}${path}`, {
        method,
        headers: { 'content-type': 'image/png', 'content-length': 2 * MiB, ...shown },
      });
      const answer = once(sending, 'response') as Promise<[IncomingMessage]>;
      sending.write(Buffer.alloc(MiB));
      await until(async () => (await filesIn(server.dataDir, 'staging')) > 0);
      assert.ok((await decide(account, session_token)).status < 300);
      await delay(SEEN_MS);
      sending.end(Buffer.alloc(MiB));
      const [{ statusCode }] = await answer;
      assert.is(statusCode, status);
      await nothingStaged(server.dataDir);
      assert.equal(await server.app.services.db.read('images').where('owner_id', account.id), []);
    });
  }
}

test('nothing is stored of files whose account is banned while they are examined', async () => {
  const picture = await pngPhoto(1);
  for (const [path, bytes] of [
    ['/image/upload', picture],
    ['/image/upload/zip', zip([{ name: 'a.png', data: picture }])],
  ] as const) {
    const account = await server.account();
    justBefore(server.app.services.media, 'probe', async () => {
      await server.request('PUT', `/admin/user/${account.id}`, {
        key: server.owner.key,
        json: { role: 'BANNED' },
      });
      await delay(SEEN_MS);
    });
    const answer = await server.request('POST', path, { form: fileForm(bytes, 'a.png'), key: account.key });
    assert.is(answer.status, 403, path);
    await nothingStaged(server.dataDir);
    assert.equal(await server.app.services.db.read('images').where('owner_id', account.id), []);
  }
});

test('an account over its limit is refused before any byte, in a form before it is stored', async () => {
  const account = await server.account();
  await spend(account, CREATIONS);
  assert.is((await beginFile('POST', '/image/upload', account.key, MAX_UPLOAD)).status, 429);
  const form = fileForm(new Uint8Array(MAX_UPLOAD + 1), 'large.png');
  assert.is((await server.request('POST', '/image/upload', { form, key: account.key })).status, 429);
});

test('every upload counts once, whether its key comes before or after the file', async () => {
  for (const behind of [false, true]) {
    const account = await server.account();
    await spend(account, CREATIONS - 2);
    const send = async () => {
      const form = fileForm('text', 'a.txt', behind ? {} : { key: account.key });
      if (behind) form.set('key', account.key);
      return (await server.request('POST', '/image/upload', { form })).status;
    };
    assert.equal([await send(), await send(), await send()], [200, 200, 429]);
  }
});

test('no more than 8 MiB of a profile picture are accepted', async () => {
  const { key } = await server.account();
  const path = '/user/get/@me/avatar';
  const refused = { status: 413, message: 'A profile picture can be at most 8 MB' };
  assert.equal(await beginFile('PUT', path, key, MAX_UPLOAD, 8 * MiB + 1), refused);
  const form = fileForm(new Uint8Array(9 * MiB), 'large.png');
  assert.equal((await server.request('PUT', path, { form, key })).body.message, refused.message);
  const unknown = fileForm(new Uint8Array(9 * MiB), 'large.png');
  unknown.set('key', key);
  assert.is((await server.request('PUT', path, { form: unknown })).status, 401);
});

test.run();
