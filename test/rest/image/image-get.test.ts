/** Reading images (contract §4, §5), by status. */
import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { jpegPhoto, webmMovie } from '../../support/media/media-fixtures.js';
import { lapse } from '../../support/stores/lapse.js';

let server: TestServer;
let user: TestAccount;
let other: TestAccount;
let moderator: TestAccount;
let photo: Buffer;
const start = async () => {
  server = await startServer();
  user = await server.account();
  other = await server.account();
  moderator = await server.account('MODERATOR');
  photo = await jpegPhoto(1, 320, 240);
};
const stop = () => server.close();

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** A request without the conditions and headers that `fetch` adds. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { port } = server.app.address;
    const sent = httpRequest({ host: '127.0.0.1', port, path: `/v1${path}`, method, headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const isJson = res.headers['content-type']?.startsWith('application/json') === true;
        const json = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
        resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes, json });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function put(bytes: Uint8Array | string, name: string, fields: Record<string, string> = {}) {
  const { status, body } = await server.request('POST', '/image/upload', {
    key: user.key,
    form: fileForm(bytes, name, fields),
  });
  assert.is(status, 200, body?.message);
  return body.uniqueId as string;
}
const as = (account: TestAccount) => ({ 'x-api-key': account.key });

const content = suite('GET /image/get: 200 with bytes');
content.before(start);
content.after(stop);

content(
  'sends the bytes with type, strong ETag, length, uploader, and headers that prevent execution',
  async () => {
    const id = await put(photo, 'p.jpg');
    for (const path of [`/image/get/${id}`, `/image/get/${id.toLowerCase()}`, `/image/get/${id}/`]) {
      const { status, headers, bytes } = await get(path);
      assert.is(status, 200);
      assert.is(headers['content-type'], 'image/jpeg');
      assert.is(headers['content-length'], String(bytes.length));
      assert.is(headers.etag, `"${createHash('sha256').update(bytes).digest('hex')}"`);
      assert.is(headers['accept-ranges'], 'bytes');
      assert.is(headers['x-uploader'], user.username);
      assert.is(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/);
      assert.is(headers['content-disposition'], 'inline; filename="p.jpg"');
      assert.is(headers['x-image-size'], undefined);
    }
  },
);

content('HEAD answers like GET, without bytes', async () => {
  const id = await put(photo, 'p.jpg');
  const head = await get(`/image/get/${id}`, {}, 'HEAD');
  const whole = await get(`/image/get/${id}`);
  assert.equal([head.status, head.bytes.length], [200, 0]);
  for (const name of ['content-type', 'content-length', 'etag', 'content-disposition', 'x-uploader'])
    assert.is(head.headers[name], whole.headers[name], name);
});

content('download=true sends an attachment with the original name, however unusual', async () => {
  const odd = await put('x', 'naïve "résumé"\r\n.txt');
  const { headers } = await get(`/image/get/${odd}?download=true`);
  const disposition = headers['content-disposition'] ?? '';
  assert.match(disposition, /^attachment; /);
  assert.match(disposition, /filename\*=UTF-8''na%C3%AFve%20%22r%C3%A9sum%C3%A9%22/);
  assert.not.match(disposition, /[\r\n]/);
  const record = (await server.request('GET', `/image/info/${odd}`)).body.message;
  assert.match(record.originalName, /^naïve "résumé"/);
  for (const [name, kept] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a b.txt', 'a b.txt'],
    ['\u202egnp.exe', 'gnp.exe'],
  ] as const) {
    const id = await put('x', name);
    assert.is((await server.request('GET', `/image/info/${id}`)).body.message.originalName, kept);
  }
  const nameless = await put(photo, ' ');
  const named = await get(`/image/get/${nameless}?download=true`);
  assert.is(named.headers['content-disposition'], `attachment; filename="${nameless}.jpg"`);
});

content('script-capable and unknown content is sent as an attachment of type octet-stream', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const id of [await put(svg, 'a.svg'), await put('<!doctype html><p>', 'a.html')]) {
    const { headers } = await get(`/image/get/${id}`);
    assert.is(headers['content-type'], 'application/octet-stream');
    assert.match(headers['content-disposition'] ?? '', /^attachment/);
  }
});

content('base64, info and image_info answer in the envelope; raw sends bare text or bytes', async () => {
  const id = await put(photo, 'p.jpg', { desc: 'words' });
  const { bytes } = await get(`/image/get/${id}`);
  const base64 = await get(`/image/get/${id}?base64=true`);
  assert.equal(Object.keys(base64.json.message).sort(), ['base64', 'uploader']);
  assert.is(base64.json.uniqueId, id);
  assert.ok(bytes.equals(Buffer.from(base64.json.message.base64, 'base64')));
  const bare = await get(`/image/get/${id}?base64=true&raw=true`);
  assert.match(bare.headers['content-type'] ?? '', /^text\/plain/);
  assert.is(bare.bytes.toString(), bytes.toString('base64'));
  const info = await get(`/image/get/${id}?info=true`);
  assert.equal(
    [info.json.message.uploader.username, info.json.message.description],
    [user.username, 'words'],
  );
  const facts = await get(`/image/get/${id}?image_info=true`);
  assert.equal([facts.json.message.size, facts.json.message.type], [bytes.length, 'jpg']);
  assert.is(facts.headers['x-image-size'], String(Math.ceil(bytes.length / 1024)));
  assert.is(facts.headers['x-image-type'], 'jpg');
  const raw = await get(`/image/get/${id}?image_info=true&raw=true`);
  assert.ok(bytes.equals(raw.bytes));
  assert.is(raw.headers['x-image-type'], 'jpg');
  for (const flag of ['base64=1', 'base64=TRUE'])
    assert.ok((await get(`/image/get/${id}?${flag}`)).json.message.base64, flag);
  assert.ok(bytes.equals((await get(`/image/get/${id}?base64=false&info=0`)).bytes));
  assert.is((await get(`/image/get/${id}?base64&raw`)).bytes.toString(), bytes.toString('base64'));
  assert.ok(bytes.equals((await get(`/image/get/${id}?base64=&raw=`)).bytes));
  assert.is((await get(`/image/get/${id}?base64=perhaps`)).status, 400);
});

const partial = suite('GET /image/get: 206, 304, 416');
partial.before(start);
partial.after(stop);

partial('a range, an open range and a suffix', async () => {
  const id = await put('0123456789', 'a.txt');
  for (const [range, text, contentRange] of [
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['Bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
    ['bytes=-100', '0123456789', 'bytes 0-9/10'],
  ] as const) {
    const { status, headers, bytes } = await get(`/image/get/${id}`, { range });
    assert.is(status, 206, range);
    assert.is(bytes.toString(), text, range);
    assert.is(headers['content-range'], contentRange);
    assert.is(headers['content-length'], String(text.length));
  }
  const head = await get(`/image/get/${id}`, { range: 'bytes=2-3' }, 'HEAD');
  assert.equal([head.status, head.headers['content-range'], head.bytes.length], [200, undefined, 0]);
});

partial('several ranges and invalid ranges return the whole content', async () => {
  const id = await put('0123456789', 'a.txt');
  for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=5-2', 'bytes=', 'nonsense'])
    assert.equal([(await get(`/image/get/${id}`, { range })).status], [200], range);
});

partial('If-Range returns the range only while the content is unchanged', async () => {
  const id = await put('0123456789', 'a.txt');
  const etag = (await get(`/image/get/${id}`)).headers.etag ?? '';
  const range = 'bytes=0-1';
  assert.is((await get(`/image/get/${id}`, { range, 'if-range': etag })).status, 206);
  assert.is((await get(`/image/get/${id}`, { range, 'if-range': '"other"' })).status, 200);
});

partial('If-Match: 412 unless the content is the one it names', async () => {
  const id = await put('0123456789', 'a.txt');
  const etag = (await get(`/image/get/${id}`)).headers.etag ?? '';
  for (const method of ['GET', 'HEAD']) {
    for (const tag of [etag, `"x", ${etag}`, '*'])
      assert.is((await get(`/image/get/${id}`, { 'if-match': tag }, method)).status, 200, tag);
    for (const tag of ['"x"', `W/${etag}`, ''])
      assert.is((await get(`/image/get/${id}`, { 'if-match': tag }, method)).status, 412, tag);
  }
  assert.is((await get(`/image/get/${id}`, { range: 'bytes=0-1', 'if-match': '"x"' })).status, 412);
  assert.is((await get(`/image/get/${id}`, { 'if-none-match': etag, 'if-match': etag })).status, 304);
});

partial('304 without a body for a matching ETag', async () => {
  const id = await put(photo, 'p.jpg');
  const etag = (await get(`/image/get/${id}`)).headers.etag ?? '';
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const { status, headers, bytes } = await get(`/image/get/${id}`, { 'if-none-match': tag });
    assert.equal([status, bytes.length, headers.etag], [304, 0, etag], tag);
  }
  assert.is((await get(`/image/get/${id}`, { 'if-none-match': '"x"' })).status, 200);
});

partial('416 past the end, in the envelope, with the size', async () => {
  const id = await put('0123456789', 'a.txt');
  for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
    const { status, headers, json } = await get(`/image/get/${id}`, { range });
    assert.is(status, 416, range);
    assert.is(headers['content-range'], 'bytes */10');
    assert.equal([json.error, json.uniqueId, typeof json.message], [true, id, 'string']);
  }
});

const guarded = suite('images with restrictions: 302, 403, 404');
guarded.before(start);
guarded.after(stop);

guarded('a private image is open to its owner and moderators only', async () => {
  const id = await put(photo, 'p.jpg', { private: 'true' });
  for (const path of [`/image/get/${id}`, `/image/get/${id}?base64=true`, `/image/get/${id}?info=true`]) {
    for (const headers of [{}, as(other), { 'x-password': 'guess' }, { 'x-api-key': 'wrong' }]) {
      const { status, json } = await get(path, headers);
      assert.equal([status, json.error, json.uniqueId], [403, true, id]);
    }
    for (const account of [user, moderator, server.owner])
      assert.is((await get(path, as(account))).status, 200);
  }
  const own = await get(`/image/get/${id}`, as(user));
  assert.is(own.headers['cache-control'], 'private, no-cache');
});

guarded('a password in a header may be UTF-8 or Latin-1', async () => {
  const id = await put(photo, 'p.jpg', { password: 'sésame' });
  for (const encoding of ['utf8', 'latin1'] as const) {
    const header = Buffer.from('sésame', encoding).toString('latin1');
    assert.is((await get(`/image/get/${id}`, { 'x-password': header })).status, 200, encoding);
  }
});

guarded('a password works by query, header and POST; owner and moderator need none', async () => {
  const id = await put(photo, 'p.jpg', { password: 'open sesame' });
  assert.is((await get(`/image/get/${id}`)).status, 403);
  for (const wrong of ['wrong', 'x'.repeat(5000)])
    assert.is((await get(`/image/get/${id}?password=${wrong}`)).status, 403);
  assert.is((await get(`/image/get/${id}?password=open%20sesame`)).status, 200);
  assert.is((await get(`/image/get/${id}`, { 'x-password': 'open sesame' })).status, 200);
  assert.is((await get(`/image/get/${id}?password=`, { 'x-password': 'open sesame' })).status, 200);
  assert.is((await get(`/image/get/${id}`, as(other))).status, 403);
  for (const account of [user, moderator])
    assert.is((await get(`/image/get/${id}`, as(account))).status, 200);
  const told = (await get(`/image/info/${id}?password=wrong`)).json.message;
  assert.equal([told.uniqueId, told.sha256], [id, null]);
  const unlock = (password: unknown) => server.request('POST', `/image/get/${id}`, { json: { password } });
  const right = await unlock('open sesame');
  assert.equal([right.status, right.body.message.uniqueId], [200, id]);
  assert.is((await unlock('wrong')).status, 403);
  assert.is((await unlock(undefined)).status, 403);
  assert.is((await unlock({ $gt: '' })).status, 400);
});

guarded('PUT /image/password sets, changes and removes the password', async () => {
  const id = await put(photo, 'p.jpg');
  const set = (password: unknown, key = user.key) =>
    server.request('PUT', `/image/password/${id}`, { key, json: { password } });
  assert.is((await set('secret')).body.message.requiresPassword, true);
  assert.is((await get(`/image/get/${id}`)).status, 403);
  assert.is((await set('x')).status, 400);
  assert.is((await set('mine now', other.key)).status, 401);
  assert.is((await server.request('PUT', `/image/password/${id}`, { json: { password: '' } })).status, 401);
  assert.is((await set(undefined)).status, 400, 'a forgotten field unlocks nothing');
  assert.is((await get(`/image/get/${id}`)).status, 403);
  assert.is((await set('')).body.message.requiresPassword, false);
  assert.is((await get(`/image/get/${id}`)).status, 200);
});

guarded('a browser is redirected to the page only where it would get 403', async () => {
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const open = await put(photo, 'p.jpg');
  assert.is((await get(`/image/get/${open}`, html)).status, 200);
  const locked = await put(photo, 'p.jpg', { password: 'open sesame' });
  const led = await get(`/image/get/${locked}`, html);
  assert.equal([led.status, led.headers.location], [302, `${server.origin}/web/image-render/${locked}`]);
  const refused = await get(`/image/get/${locked}`);
  assert.equal([led.headers.vary, refused.headers.vary], ['Origin, Accept', 'Origin, Accept']);
  assert.is((await get(`/image/get/${locked}?raw=true`, html)).status, 403);
  assert.is((await get(`/image/get/${locked}?password=open%20sesame`, html)).status, 200);
  assert.is((await get(`/image/get/${locked}`, { ...html, ...as(user) })).status, 200);
});

guarded('maxViews counts bytes sent to others, but not HEAD, 304, the owner or records', async () => {
  const id = await put(photo, 'p.jpg', { maxViews: '4' });
  const etag = (await get(`/image/get/${id}`, as(user))).headers.etag ?? '';
  await get(`/image/get/${id}`, {}, 'HEAD');
  await get(`/image/get/${id}`, { 'if-none-match': etag });
  await get(`/image/get/${id}?info=true`);
  await get(`/image/info/${id}`);
  const statuses = [
    (await get(`/image/get/${id}`)).status,
    (await get(`/image/get/${id}`, { range: 'bytes=0-9', 'user-agent': 'Discordbot/2.0' })).status,
    (await get(`/image/get/${id}?base64=true`)).status,
    (await get(`/image/get/${id}?width=160`)).status,
    (await get(`/image/get/${id}`)).status,
    (await get(`/image/info/${id}`)).status,
  ];
  assert.equal(statuses, [200, 206, 200, 200, 404, 404]);
  assert.is((await get(`/image/get/${id}`, as(user))).status, 200);
  assert.is((await get(`/image/info/${id}`, as(moderator))).json.message.views, 4);
});

guarded('an expired image is gone for everyone but owner and moderators', async () => {
  const id = await put(photo, 'p.jpg', { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  assert.is((await get(`/image/get/${id}`)).status, 200);
  await lapse(server, 'images', id);
  const gone = await get(`/image/get/${id}`);
  assert.equal([gone.status, gone.json.message], [404, 'Resource not found']);
  assert.is((await get(`/image/info/${id}`)).status, 404);
  assert.is((await get(`/image/get/${id}`, as(user))).status, 200);
  assert.is((await server.request('DELETE', `/image/get/${id}`, { key: user.key })).status, 200);
});

guarded('404 for unknown ids, 400 or 404 for impossible ones', async () => {
  const { status, json } = await get('/image/get/NOSUCHID');
  assert.equal(
    [status, json.error, json.message, json.uniqueId],
    [404, true, 'Resource not found', 'NOSUCHID'],
  );
  for (const id of ['x'.repeat(129), '%00', 'a%0ab', '%E0%A4%A', '..%2f..%2fetc%2fpasswd']) {
    const answer = await get(`/image/get/${id}`);
    assert.ok([400, 404].includes(answer.status), `${id}: ${answer.status}`);
    assert.is(answer.json.error, true);
  }
});

const records = suite('records, deletion and statistics of images');
records.before(start);
records.after(stop);

records('info is blank without access and complete with it', async () => {
  const id = await put(photo, 'p.jpg', { desc: 'secret words', password: 'open sesame', private: 'true' });
  await server.app.services.jobs.settle();
  const blank = (await get(`/image/info/${id}`)).json.message;
  for (const name of [
    'description',
    'originalName',
    'size',
    'width',
    'height',
    'durationMs',
    'sha256',
    'thumbhash',
    'webhookSettings',
  ])
    assert.is(blank[name], null, name);
  assert.equal([blank.urlSet.posterUrl, blank.requiresPassword, blank.isPublic], [null, true, false]);
  assert.is(blank.uploader.username, user.username);
  for (const full of [
    (await get(`/image/info/${id}?password=open%20sesame`)).json.message,
    (await get(`/image/info/${id}`, as(user))).json.message,
  ]) {
    assert.equal([full.description, full.width, full.height], ['secret words', 320, 240]);
    assert.ok(full.thumbhash.length > 4);
    assert.ok(full.size > 0);
  }
});

records('DELETE is for owner and moderators, answers without message, and takes effect at once', async () => {
  const id = await put(photo, 'p.jpg');
  const remove = (key?: string) => server.request('DELETE', `/image/get/${id}`, { key });
  assert.is((await remove()).status, 401);
  assert.is((await remove(other.key)).status, 401);
  const { status, body } = await remove(user.key);
  assert.equal([status, body.error, body.uniqueId, 'message' in body], [200, false, id, false]);
  assert.is((await get(`/image/get/${id}`)).status, 404);
  assert.is((await remove(user.key)).status, 404);
  const theirs = await put(photo, 'p.jpg');
  const moderated = await server.request('DELETE', `/image/get/${theirs}`, { key: moderator.key });
  assert.is(moderated.status, 200);
});

records('statistics count a range of days, both ends included', async () => {
  const before = (await get('/image/stats')).json.message;
  await put(photo, 'p.jpg');
  await put('abc', 'a.txt');
  const today = new Date().toISOString().slice(0, 10);
  const { status, json } = await get(`/image/stats?fromDate=${today}&toDate=${today}`);
  assert.is(status, 200);
  const { message } = json;
  assert.is(message.total_all, before.total_all + 2);
  assert.ok(message.formats.jpg >= 1 && message.formats.txt >= 1);
  assert.ok(
    message.sizes.largest >= message.sizes.average && message.sizes.average >= message.sizes.smallest,
  );
  assert.is(message.best_uploader.username, user.username);
  const told = (await get('/image/stats?fromDate=2025-01-31&toDate=2025-01-31')).json.message;
  assert.equal([told.fromDate, told.toDate], ['2025-01-31T00:00:00.000Z', '2025-01-31T23:59:59.999Z']);
  assert.is((await get('/image/stats?fromDate=2024-13-01')).status, 400);
  assert.is((await get('/image/stats?fromDate=2025-02-01&toDate=2025-01-01')).status, 400);
});

const moving = suite('videos and posters');
moving.before(start);
moving.after(stop);

moving(
  'a video is redirected to its own address with the query kept, and served there in ranges',
  async () => {
    const id = await put(webmMovie(), 'v.webm');
    const led = await get(`/image/get/${id}?download=true&x=1`);
    assert.equal(
      [led.status, led.headers.location],
      [302, `${server.base}/image/get/video/${id}?download=true&x=1`],
    );
    const whole = await get(`/image/get/video/${id}`);
    assert.equal([whole.status, whole.headers['content-type']], [200, 'video/webm']);
    const part = await get(`/image/get/video/${id}`, { range: 'bytes=10-19' });
    assert.equal([part.status, part.headers['content-range']], [206, `bytes 10-19/${whole.bytes.length}`]);
    assert.ok(part.bytes.equals(whole.bytes.subarray(10, 20)));
    const past = await get(`/image/get/video/${id}`, { range: `bytes=${whole.bytes.length}-` });
    assert.equal([past.status, past.headers['content-range']], [416, `bytes */${whole.bytes.length}`]);
    assert.is((await get(`/image/get/video/${id}?width=160`)).status, 200);
    assert.is((await get(`/image/get/video/${await put(photo, 'p.jpg')}`)).status, 404);
    const hidden = await put(photo, 'p.jpg', { private: 'true' });
    for (const kind of ['video', 'poster'])
      assert.is((await get(`/image/get/${kind}/${hidden}`)).status, 403);
  },
);

moving('another site may embed a video by its address, whatever the query', async () => {
  const id = await put(webmMovie(), 'v.webm');
  for (const query of ['', '?raw=true', '?download=true']) {
    const { headers } = await get(`/image/get/${id}${query}`);
    assert.is(headers['cross-origin-resource-policy'], 'cross-origin', query);
  }
});

moving('callers who may not see a video are refused at once instead of being redirected first', async () => {
  const id = await put(webmMovie(), 'v.webm', { password: 'open sesame' });
  for (const query of ['', '?password=wrong']) assert.is((await get(`/image/get/${id}${query}`)).status, 403);
  const led = await get(`/image/get/${id}?password=open%20sesame`);
  assert.equal(
    [led.status, led.headers.location],
    [302, `${server.base}/image/get/video/${id}?password=open%20sesame`],
  );
});

moving(
  'the poster of a video whose views are counted uses up a view, and is gone with the last',
  async () => {
    const id = await put(webmMovie(), 'v.webm', { maxViews: '2' });
    await server.app.services.jobs.settle();
    const own = await server.request('GET', `/image/get/poster/${id}`, { key: user.key });
    assert.is(own.status, 200, 'its owner uses none');
    assert.is((await get(`/image/get/poster/${id}`)).status, 200);
    assert.is((await get(`/image/get/video/${id}`)).status, 200);
    for (const kind of ['poster', 'video']) assert.is((await get(`/image/get/${kind}/${id}`)).status, 404);
  },
);

moving('the poster is a JPEG under the access rules of its video', async () => {
  const form = fileForm(webmMovie(), 'v.webm', { password: 'open sesame' });
  const { body } = await server.request('POST', '/image/upload', { key: user.key, form });
  const id = body.uniqueId;
  // A busy machine answers before the poster is made, and makes it after the answer.
  await server.app.services.jobs.settle();
  const { message } = (await get(`/image/info/${id}`, as(user))).json;
  assert.is(message.urlSet.posterUrl, `${server.base}/image/get/poster/${id}`);
  assert.ok([message.urlSet.posterUrl, null].includes(body.message.urlSet.posterUrl));
  assert.ok(message.thumbhash);
  assert.is((await get(`/image/get/poster/${id}`)).status, 403);
  const poster = await get(`/image/get/poster/${id}?password=open%20sesame`);
  assert.equal([poster.status, poster.headers['content-type']], [200, 'image/jpeg']);
  assert.is(poster.bytes.readUInt16BE(0), 0xffd8);
  assert.is((await get(`/image/get/poster/${id}`, { ...as(user), range: 'bytes=0-1' })).status, 206);
  assert.is((await server.request('DELETE', `/image/get/${id}`, { key: user.key })).status, 200);
  assert.is((await get(`/image/get/poster/${id}`, as(user))).status, 404);
  assert.is((await get(`/image/get/poster/${await put(photo, 'p.jpg')}`)).status, 404);
  assert.is((await get(`/image/get/poster/${await put(photo, 'p.jpg', { private: 'true' })}`)).status, 403);
});

moving('a video that cannot be decoded is stored without a poster', async () => {
  const broken = Buffer.from(webmMovie());
  broken.fill(0x55, Math.floor(broken.length / 2));
  const { status, body } = await server.request('POST', '/image/upload', {
    key: user.key,
    form: fileForm(broken, 'v.webm'),
  });
  assert.equal([status, body.message.urlSet.posterUrl], [200, null]);
});

for (const each of [content, partial, guarded, records, moving]) each.run();
