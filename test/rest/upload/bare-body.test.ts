/** A body that is the file itself, as programs send it that know nothing of forms. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { nothingStaged } from '../../hostile/guarantees.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';

const test = suite('bare bodies');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer({ MAX_UPLOAD_BYTES: String(24 * 1024 * 1024) });
  user = await server.account();
});
test.after(() => server.close());

interface Answer {
  readonly status: number;
  readonly body: { readonly message: never; readonly uniqueId: string };
}

/** Sends exactly these headers; `fetch` would add a type. */
function send(
  path: string,
  body: Buffer,
  headers: Record<string, string>,
  { method = 'POST', chunked = false, key = user.key as string | null } = {},
): Promise<Answer> {
  const url = new URL(`${server.base}${path}`);
  return new Promise((resolve, reject) => {
    const length: Record<string, string | number> = chunked ? {} : { 'content-length': body.length };
    const sent = request(
      url,
      { method, headers: { ...(key === null ? {} : { 'x-api-key': key }), ...length, ...headers } },
      async (res) => {
        const chunks: Buffer[] = [];
        for await (const chunk of res) chunks.push(chunk);
        resolve({ status: res.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const stored = async (uniqueId: string): Promise<Buffer> => {
  const answer = await fetch(`${server.base}/image/get/${uniqueId}`, { headers: { 'x-api-key': user.key } });
  return Buffer.from(await answer.arrayBuffer());
};
const itemsOf = async () =>
  (await server.request('GET', '/user/get/@me/items', { key: user.key })).body.count as number;

const FORM = 'application/x-www-form-urlencoded';
const FILES: readonly (readonly [string, () => Buffer])[] = [
  ['text', () => Buffer.from('some words\nand more = words & signs\n')],
  ['JSON', () => Buffer.from('{"private": true, "desc": "no field of ours"}')],
  ['a text in Latin-1', () => Buffer.from('Gr\xf6\xdfe\n', 'latin1')],
  ['binary', () => randomBytes(5_000)],
  ['large binary', () => randomBytes(20 * 1024 * 1024)],
];

for (const [what, bytesOf] of FILES)
  for (const type of [null, 'application/octet-stream', 'text/plain', 'application/x-weird'])
    test(`${what} with ${type ?? 'no type'} is the file, with a length and in chunks`, async () => {
      if (type !== null && what === 'large binary') return;
      const bytes = bytesOf();
      for (const chunked of [false, true]) {
        const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
        const { status, body } = await send('/image/upload?private=true', bytes, headers, { chunked });
        assert.is(status, 200, JSON.stringify(body));
        const message = body.message as { isPublic: boolean; originalName: string | null };
        assert.equal([message.isPublic, message.originalName], [false, null]);
        assert.ok((await stored(body.uniqueId)).equals(bytes));
      }
    });

test('the name is that of ?filename= or of Content-Disposition', async () => {
  const bytes = Buffer.from('words');
  const nameOf = async (query: string, headers: Record<string, string>) =>
    ((await send(`/image/upload${query}`, bytes, headers)).body.message as { originalName: string })
      .originalName;
  assert.is(
    await nameOf('?filename=a.txt', { 'content-disposition': 'attachment; filename="b.txt"' }),
    'a.txt',
  );
  for (const [parameters, name] of [
    ['filename="b c.txt"', 'b c.txt'],
    ['filename=b.txt', 'b.txt'],
    [`filename="x.txt"; filename*=UTF-8''r%C3%A4k.txt`, 'räk.txt'],
    [`filename*=iso-8859-1''r%E4k.txt`, 'räk.txt'],
    ['filename="../../etc/passwd"', 'passwd'],
  ] as const)
    assert.is(await nameOf('', { 'content-disposition': `attachment; ${parameters}` }), name, parameters);
  // With a name even the type of a form is none of fields.
  const named = await send('/image/upload', bytes, {
    'content-type': FORM,
    'content-disposition': 'attachment; filename="c.txt"',
  });
  assert.is(named.status, 200);
});

test('a file with the type of a form, as curl --data-binary sends it, is refused with how to send it', async () => {
  const before = await itemsOf();
  for (const type of [FORM, 'application/json'])
    for (const [what, bytesOf] of FILES) {
      if (what === 'JSON') continue;
      const { status, body } = await send('/image/upload', bytesOf(), { 'content-type': type });
      assert.is(status, 415, `${what} as ${type}`);
      assert.match(body.message, /form field "file".*Content-Type.*\?filename=/);
    }
  for (const [type, fields] of [
    [FORM, 'private=true&desc=a+b'],
    [FORM, '{"private":true}'],
    ['application/json', '{"private":true}'],
  ] as const) {
    const { status, body } = await send('/image/upload', Buffer.from(fields), { 'content-type': type });
    assert.is(status, 400, fields);
    assert.match(body.message, /form field "file"/);
  }
  const stranger = await send('/image/upload', randomBytes(1_000), { 'content-type': FORM }, { key: null });
  assert.is(stranger.status, 401);
  assert.is(await itemsOf(), before);
  await nothingStaged(server.dataDir);
});

test('nothing at all is no file, whatever its type', async () => {
  for (const headers of [{}, { 'content-type': FORM }, { 'content-type': 'application/json' }] as Record<
    string,
    string
  >[])
    assert.is((await send('/image/upload', Buffer.alloc(0), headers)).status, 400);
});

test('a stranger, and a body above the limit, are refused as any upload is', async () => {
  assert.is((await send('/image/upload', Buffer.from('words'), {}, { key: null })).status, 401);
  const large = await send('/image/upload', Buffer.alloc(25 * 1024 * 1024), {}, { chunked: true });
  assert.is(large.status, 413);
  await nothingStaged(server.dataDir);
});

test('other routes with a file take it so, too; a change of fields at one that replaces does not replace', async () => {
  const photo = await jpegPhoto(2);
  const { body } = await send('/image/upload', photo, {});
  const path = `/image/get/${body.uniqueId}`;
  const fields = Buffer.from('{"private":true}');
  const mistaken = await send(path, fields, { 'content-type': 'application/json' }, { method: 'PUT' });
  assert.is(mistaken.status, 400);
  assert.is((await send(path, Buffer.from('new words'), {}, { method: 'PUT' })).status, 200);
  assert.is((await stored(body.uniqueId)).toString(), 'new words');
  assert.is((await send('/user/get/@me/avatar', photo, {}, { method: 'PUT' })).status, 200);
});

test('a paste whose body is only its text is refused with the names of the fields', async () => {
  for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-type': FORM }] as Record<
    string,
    string
  >[]) {
    const { status, body } = await send('/paste/create', Buffer.from('only words\n'), headers);
    assert.is(status, 400);
    assert.match(body.message, /send the text in "text", or a file in "file"/);
  }
});

test.run();
