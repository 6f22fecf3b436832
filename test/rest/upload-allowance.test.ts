/** Whoever may not send a file, or not one as large, is refused before it is stored anywhere. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { filesIn } from '../hostile/promises.js';
import { ask, headOf } from '../hostile/raw.js';

const MiB = 1024 * 1024;
const MAX_UPLOAD = 12 * MiB;
/** Items that one account may make in a minute. */
const CREATIONS = 1_200;
const ROWS = [
  ['POST', '/image/upload'],
  ['POST', '/image/upload/cloud'],
  ['POST', '/image/upload/zip'],
  ['PUT', '/user/get/@me/avatar'],
] as const;

const test = suite('what is decided before a file arrives');
let server: TestServer;
let outsiders: readonly TestAccount[];
test.before(async () => {
  server = await startServer({ MAX_UPLOAD_BYTES: String(MAX_UPLOAD), RATE_LIMIT: 'on' });
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
  server.app.services.limits.take('create', String(account.id), points);

for (const [method, path] of ROWS) {
  test(`${method} ${path}: accounts that may not create are refused before any byte of a bare file`, async () => {
    for (const { key } of outsiders) assert.is((await beginFile(method, path, key, MAX_UPLOAD)).status, 403);
  });

  test(`${method} ${path}: nothing of their files in forms is stored, wherever the key stands before it`, async () => {
    const large = new Uint8Array(MAX_UPLOAD + 1);
    for (const { key } of outsiders) {
      for (const fields of [{}, { key }]) {
        const form = fileForm(large, 'large.png', fields);
        const answer = await server.request(method, path, { form, key: 'key' in fields ? undefined : key });
        // Were it stored up to the limit, that would be what refuses it.
        assert.is(answer.status, 403);
      }
    }
    assert.is(await filesIn(server.dataDir, 'staging'), 0);
  });
}

test('whoever has made too much lately is refused before any byte, in a form before it is stored', async () => {
  const account = await server.account();
  await spend(account, CREATIONS);
  assert.is((await beginFile('POST', '/image/upload', account.key, MAX_UPLOAD)).status, 429);
  const form = fileForm(new Uint8Array(MAX_UPLOAD + 1), 'large.png');
  assert.is((await server.request('POST', '/image/upload', { form, key: account.key })).status, 429);
});

test('every upload counts once, whether its key comes before the file or behind it', async () => {
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

test('no more than 8 MiB of a picture are taken', async () => {
  const { key } = await server.account();
  const path = '/user/get/@me/avatar';
  const refused = { status: 413, message: 'A picture has at most 8 MiB' };
  assert.equal(await beginFile('PUT', path, key, MAX_UPLOAD, 8 * MiB + 1), refused);
  const form = fileForm(new Uint8Array(9 * MiB), 'large.png');
  assert.equal((await server.request('PUT', path, { form, key })).body.message, refused.message);
  const unknown = fileForm(new Uint8Array(9 * MiB), 'large.png');
  unknown.set('key', key);
  assert.is((await server.request('PUT', path, { form: unknown })).status, 401);
});

test.run();
