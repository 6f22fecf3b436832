// on both databases
/** Clients of Lsky Pro, Imgur, Chevereto, and what people type with curl. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Answer,
  fileForm,
  type RequestOptions,
  startServer,
  type TestAccount,
  type TestServer,
} from '../../harness.js';
import { serving } from '../../support/uploads/ways/way.js';
import { LOOPBACK_ALLOWED, PIXEL } from '../../support/web/webhook.js';

const test = suite('the doors of upload services');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer({ ...LOOPBACK_ALLOWED, MAX_UPLOAD_BYTES: '100000' });
});
test.before.each(async () => {
  user = await server.account();
});
test.after(() => server.close());

const ask = (
  operation: string,
  options: RequestOptions = {},
  key: string | null = user.key,
): Promise<Answer> => {
  const [method = '', path = ''] = operation.split(' ');
  const headers = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...options.headers };
  return server.request(method, `/${path}`, { ...options, headers });
};
const bytesAt = async (url: string) => {
  assert.ok(url.startsWith(`${server.origin}/`), url);
  return Buffer.from(await (await fetch(url)).arrayBuffer());
};
const formOf = (fields: Record<string, string | File>): RequestOptions => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return { form };
};
const picture = () => new File([PIXEL as BlobPart], 'a "picture".png');
const stored = async (): Promise<number> => {
  const [row] = await server.app.services.db.read('images').where('owner_id', user.id).count({ n: '*' });
  return Number(row?.n);
};

test('lsky: upload, list, profile and deletion', async () => {
  const answer = await ask('POST /api/v1/upload', {
    form: fileForm(PIXEL, 'a.png', { permission: '0', expired_at: '2099-01-02 03:04:05', strategy_id: '1' }),
  });
  assert.is(answer.status, 200, answer.text);
  const { data } = answer.body;
  assert.is(answer.body.status, true);
  assert.equal(
    [data.name, data.extension, data.mimetype, data.md5],
    [`${data.key}.png`, 'png', 'image/png', ''],
  );
  assert.is(typeof data.size, 'number');
  assert.equal(Object.keys(data.links), [
    'url',
    'html',
    'bbcode',
    'markdown',
    'markdown_with_link',
    'thumbnail_url',
    'delete_url',
  ]);
  assert.is((await fetch(data.links.url)).status, 403);
  const { message } = (await server.request('GET', `/image/info/${data.key}`, { key: user.key })).body;
  assert.equal([message.isPublic, message.expiresAt], [false, '2099-01-02T03:04:05.000Z']);
  await ask('POST /api/v1/upload', { form: fileForm('other', 'other.txt') });
  const list = (await ask('GET /api/v1/images?page=1')).body.data;
  assert.equal([list.current_page, list.total, list.last_page, list.data.length], [1, 2, 1, 2]);
  assert.equal((await ask('GET /api/v1/images?keyword=other')).body.data.total, 1);
  const profile = (await ask('GET /api/v1/profile')).body.data;
  assert.equal([profile.username, profile.email, profile.image_num], [user.username, user.email, 2]);
  assert.ok(profile.capacity > profile.size);
  assert.equal((await ask(`DELETE /api/v1/images/${data.key}`)).body, {
    status: true,
    message: 'Deleted',
    data: {},
  });
  assert.is((await ask(`DELETE /api/v1/images/${data.key}`)).status, 404);
  assert.is((await ask('POST /api/v1/upload', { form: fileForm('', 'a.png') })).status, 422);
  assert.is((await ask('POST /api/v1/upload', { form: fileForm(Buffer.alloc(100_001), 'a') })).status, 413);
  assert.is(await stored(), 1);
});

test('lsky: the password gives a key of two scopes, which ends itself', async () => {
  const { email, password } = user;
  const signIn = (json: object) => ask('POST /api/v1/tokens', { json }, null);
  const wrong = await signIn({ email, password: 'wrong password' });
  assert.is(wrong.body.status, false);
  for (const json of [{ email }, { password }, {}]) assert.is((await signIn(json)).status, 422);
  const { token } = (await signIn({ email, password })).body.data;
  const [key] = (await server.request('GET', '/user/get/@me/keys', { key: user.key })).body.message.content;
  assert.equal([key.name, key.scopes], ['Lsky', ['images:read', 'images:write']]);
  assert.is((await ask('GET /api/v1/profile', {}, token)).status, 200);
  assert.is((await server.request('GET', '/user/get/@me', { key: token })).status, 403);
  assert.is((await ask('DELETE /api/v1/tokens', {}, token)).body.status, true);
  const over = await ask('GET /api/v1/profile', {}, token);
  assert.equal([over.status, over.body], [401, { message: 'Unauthenticated.' }]);
});

test('imgur and chevereto: a file, base64 or an address', async () => {
  const base64 = Buffer.from(PIXEL).toString('base64');
  const data = `data:image/png;base64,${base64}`;
  const small = Buffer.from('far away');
  await serving(Buffer.from(PIXEL), async (url) => {
    for (const [path, field] of [
      ['/3/image', 'image'],
      ['/3/upload.json', 'image'],
      ['/api/1/upload', 'source'],
    ] as const)
      for (const [what, options] of Object.entries({
        file: formOf({ [field]: picture() }),
        'base64 in a form': formOf({ [field]: base64, type: 'base64' }),
        'base64 guessed': formOf({ [field]: data }),
        'base64 encoded': { form: new URLSearchParams({ [field]: base64 }) },
        'base64 in JSON': { json: { [field]: base64.replace(/(.{20})/g, '$1\n') } },
        address: formOf({ [field]: url }),
        'address encoded': { form: new URLSearchParams({ [field]: url, type: 'url' }) },
      } satisfies Record<string, RequestOptions>)) {
        const { status, body, text } = await ask(`POST ${path}`, options);
        assert.is(status, 200, `${path} ${what}: ${text}`);
        const link = field === 'image' ? body.data.link : body.image.url;
        assert.equal(await bytesAt(link), Buffer.from(PIXEL), `${path} ${what}`);
      }
    return null;
  });
  const before = await stored();
  for (const options of [
    formOf({ image: 'not base64!', type: 'base64' }),
    formOf({ image: 'neither an address, nor base64!' }),
    formOf({ image: 'http://127.0.0.1:9/none' }),
    formOf({ image: '' }),
    { json: { image: 7 } },
    {},
  ]) {
    const { status, body, text } = await ask('POST /3/image', options);
    assert.is(status, 400, text);
    assert.equal(
      [body.success, body.status, body.data.method, body.data.request],
      [false, 400, 'POST', '/3/image'],
    );
  }
  const large = await ask('POST /3/image', formOf({ image: Buffer.alloc(90_000).toString('base64') }));
  assert.is(large.status, 413, large.text);
  assert.is(await stored(), before);
  assert.is(small.length, 8);
});

test('imgur: title and description, and a deletehash that needs no key', async () => {
  const sent = formOf({ image: picture(), title: 'A title', description: 'Two\nlines', name: 'n.png' });
  const { data } = (await ask('POST /3/image', sent)).body;
  assert.equal(
    [data.title, data.description, data.type, data.width],
    ['A title', 'Two\nlines', 'image/png', 1],
  );
  assert.is(data.bandwidth, 0);
  const got = (await ask(`GET /3/image/${data.id}`, {}, null)).body;
  assert.equal([got.data.title, got.data.description, got.success], ['A title', 'Two\nlines', true]);
  assert.not.ok('deletehash' in got.data);
  const client = await ask('GET /3/account/me/images', {
    headers: { authorization: `Client-ID ${user.key}` },
  });
  assert.is(client.body.data.length, 1, client.text);
  assert.is((await ask('GET /3/credits')).body.success, true);
  assert.is((await ask(`DELETE /3/image/${data.id}`, {}, null)).status, 401);
  const other = data.deletehash.replace(/.(?=..$)/, (letter: string) => (letter === 'a' ? 'b' : 'a'));
  assert.is((await ask(`DELETE /3/image/${other}`, {}, null)).status >= 400, true);
  assert.equal((await ask(`DELETE /3/image/${data.deletehash}`, {}, null)).body.data, true);
  assert.is((await ask(`GET /3/image/${data.id}`, {}, null)).status, 404);
});

test('chevereto: formats, an end, and a key in the query', async () => {
  const send = (more: string, fields: Record<string, string | File> = { source: picture() }) =>
    ask(`POST /api/1/upload?key=${user.key}${more}`, formOf(fields), null);
  const { body } = await send('', { source: picture(), title: 'T', expiration: 'P1DT2H' });
  assert.equal(
    [body.status_code, body.status_txt, body.success.code, body.image.title],
    [200, 'OK', 200, 'T'],
  );
  const left = Date.parse(`${body.image.expiration_date_gmt.replace(' ', 'T')}Z`) - Date.now();
  assert.ok(left > 25 * 3_600_000 && left <= 26 * 3_600_000, body.image.expiration_date_gmt);
  assert.equal(await bytesAt((await send('&format=txt')).text.trim()), Buffer.from(PIXEL));
  const led = await send('&format=redirect');
  assert.is(led.status, 302);
  assert.match(led.headers.get('location') ?? '', /\/web\/image-render\//);
  const got = await ask(
    `GET /api/1/upload?key=${user.key}&source=${encodeURIComponent(Buffer.from('a text').toString('base64'))}`,
    {},
    null,
  );
  assert.is(got.body.status_code, 200, got.text);
  assert.match((await send('', { title: 'none' })).body.error.message, /"source"/);
  const bad = await send('', { source: picture(), expiration: 'soon' });
  assert.equal(
    [bad.status, bad.body.status_code, bad.body.error.code, bad.body.status_txt],
    [400, 400, 400, 'Bad Request'],
  );
});

test('curl -T: name, days, downloads, and an address that deletes', async () => {
  const put = (headers: Record<string, string> = {}, name = 'notes%20%C3%BC.txt') =>
    ask(`PUT /${name}`, { body: 'some text', headers });
  const answer = await put({ 'max-downloads': '1', 'max-days': '2' });
  assert.is(answer.status, 200, answer.text);
  const url = answer.text.replace(/\n$/, '');
  assert.is(answer.text, `${url}\n`);
  assert.is(await (await fetch(url)).text(), 'some text');
  assert.is((await fetch(url)).status, 404);
  const kept = await put();
  const deletion = new URL(kept.headers.get('x-url-delete') ?? '');
  const id = deletion.pathname.slice(1);
  const { message } = (await server.request('GET', `/image/info/${id}`, { key: user.key })).body;
  assert.is(message.originalName, 'notes \u00fc.txt');
  assert.is((await ask(`DELETE /${id}?token=wrong`, {}, null)).status, 404);
  assert.is((await ask(`DELETE ${deletion.pathname}${deletion.search}`, {}, null)).status, 200);
  assert.is((await fetch(kept.text.trim())).status, 404);
  const again = new URL((await put()).headers.get('x-url-delete') ?? '');
  assert.is((await ask(`POST ${again.pathname}${again.search}`, {}, null)).status, 200);
  for (const name of ['v1', 'web', 'files', 'upload', 'documents', 'r', 'qr'])
    assert.ok([404, 405].includes((await put({}, name)).status), name);
  assert.is((await put({ 'max-days': 'x' })).status, 400);
  assert.is((await ask('PUT /a.txt', { body: 'x', headers: { authorization: user.key } }, null)).status, 200);
});

test('curl -F: a file, a link, what works once, and an end', async () => {
  const post = (fields: Record<string, string | File>, headers: Record<string, string> = {}) =>
    ask('POST /', { ...formOf(fields), headers });
  const file = () => new File(['some text'], 'a.txt');
  const sent = await post({ file: file(), expires: '24', secret: '' });
  assert.is(sent.status, 200, sent.text);
  assert.is(await (await fetch(sent.text.trim())).text(), 'some text');
  const left = Number(sent.headers.get('x-expires')) - Date.now();
  assert.ok(left > 23 * 3_600_000 && left <= 24 * 3_600_000);
  const token = sent.headers.get('x-token') ?? '';
  const id = /([A-Z0-9]{8})\.txt$/.exec(sent.text.trim())?.[1];
  const moment = Date.now() + 5_000_000;
  assert.is((await ask(`POST /${id}`, formOf({ token, expires: String(moment) }), null)).status, 200);
  const info = await server.request('GET', `/image/info/${id}`, { key: user.key });
  assert.is(Date.parse(info.body.message.expiresAt), moment);
  assert.is((await ask(`POST /${id}`, formOf({ token, delete: '' }), null)).status, 200);
  assert.is((await fetch(sent.text.trim())).status, 404);
  const once = (await post({ oneshot: file() })).text.trim();
  assert.equal([(await fetch(once)).status, (await fetch(once)).status], [200, 404]);
  const link = (await post({ url: 'https://example.com/far' }, { expire: '10min' })).text.trim();
  assert.is((await fetch(link, { redirect: 'manual' })).headers.get('location'), 'https://example.com/far');
  const short = (await post({ oneshot_url: 'https://example.com/one' })).text.trim();
  const follow = async () => (await fetch(short, { redirect: 'manual' })).status;
  assert.equal([await follow(), await follow()], [301, 404]);
  await serving(Buffer.from('far away'), async (url) => {
    assert.is(await (await fetch((await post({ remote: url })).text.trim())).text(), 'far away');
    return null;
  });
  for (const fields of [
    {},
    { url: 'x', file: file() },
    { file: file(), expires: 'soon' },
    { url: 'javascript:1' },
  ])
    assert.is((await post(fields as Record<string, string>)).status, 400);
  const two = new FormData();
  for (const one of [file(), file()]) two.append('file', one);
  assert.is((await ask('POST /', { form: two })).status, 400);
});

test('documents: a text as it is, and nothing that not everybody may read', async () => {
  const text = '{"a": 1}\n\u00fc\n';
  const made = await ask('POST /documents', { body: text, headers: { 'content-type': 'application/json' } });
  assert.is(made.status, 200, made.text);
  const { key } = made.body;
  assert.equal((await ask(`GET /documents/${key}`, {}, null)).body, { key, data: text });
  assert.is((await ask(`GET /raw/${key}`, {}, null)).text, text);
  const page = await ask(`GET /${key}`, {}, null);
  assert.is(page.status, 302);
  assert.match(page.headers.get('location') ?? '', new RegExp(`/web/paste-render/${key}$`));
  assert.is((await ask('GET /NOTHING1', {}, null)).status, 404);
  for (const fields of [{ private: true }, { password: 'a password' }, { burn: true }]) {
    const json = { text: 'secret', ...fields };
    const { uniqueId } = (await server.request('POST', '/paste/create', { key: user.key, json })).body;
    for (const path of [`/documents/${uniqueId}`, `/raw/${uniqueId}`])
      assert.is((await ask(`GET ${path}`, {}, null)).status, 404, path);
  }
  assert.is((await ask('POST /documents', { body: '' })).status, 400);
  for (const type of ['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']) {
    const sent = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
    const kept = await ask('POST /documents', { body: sent, headers: { 'content-type': type } });
    assert.is((await ask(`GET /raw/${kept.body.key}`, {}, null)).text, sent, type);
  }
});

test('a path that is no item of anybody is 404, whatever is sent to it', async () => {
  for (const method of ['POST', 'DELETE'])
    for (const [type, body] of [
      ['application/json', '{'],
      ['multipart/form-data', 'x'],
      ['application/x-www-form-urlencoded', 'a=%zz'],
      ['image/png', 'x'],
    ] as const)
      assert.is(
        (await ask(`${method} /unknown`, { body, headers: { 'content-type': type } })).status,
        404,
        type,
      );
});

test.run();
