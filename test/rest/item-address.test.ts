/** Links as they arrive: with what stood after them in a text, and with the extension of the file. */
import { request as httpRequest } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { jpegPhoto, webmMovie } from '../support/media/media-fixtures.js';

let server: TestServer;
let user: TestAccount;
let photo: Buffer;
const start = async () => {
  server = await startServer({
    SHORT_URL_URL: 'http://go.example.net',
    SHORT_IMAGE_URL: 'http://i.example.net',
  });
  user = await server.account();
  photo = await jpegPhoto(3, 320, 240);
};
const stop = () => server.close();

async function put(bytes: Uint8Array | string, name: string, fields: Record<string, string> = {}) {
  const form = fileForm(bytes, name, fields);
  const { status, body } = await server.request('POST', '/image/upload', { key: user.key, form });
  assert.is(status, 200, body?.message);
  return body.uniqueId as string;
}
const link = async (json: object = {}): Promise<string> => {
  const options = { key: user.key, json: { url: 'https://example.com/target', ...json } };
  return (await server.request('POST', '/url/create', options)).body.uniqueId;
};
const paste = async (): Promise<string> =>
  (await server.request('POST', '/paste/create', { key: user.key, json: { text: 'words' } })).body.uniqueId;
/** A GET on any host, which `fetch` cannot choose. */
const onHost = (host: string, path: string, accept = '*/*'): Promise<{ status: number; location: string }> =>
  new Promise((resolve, reject) => {
    const { port } = server.app.address;
    httpRequest({ host: '127.0.0.1', port, path, headers: { host, accept } }, (res) => {
      res.resume();
      resolve({ status: res.statusCode ?? 0, location: res.headers.location ?? '' });
    })
      .on('error', reject)
      .end();
  });
const html = { accept: 'text/html' };

const written = suite('a link with what stood after it in a text');
written.before(start);
written.after(stop);
const remains = [
  ...'.,;:!?)]}>"\'|\u00a0\u200b\u2060\ufeff\u2019\u201d\u00bb\u2026\u3002\uff09 ',
  ').',
  '".',
  '\u200b\u200b ',
  '...',
].map(encodeURIComponent);
written('leads where the link leads, at /r, on a short host and at /url/r', async () => {
  const id = await link();
  const { host } = new URL(server.origin);
  for (const rest of remains) {
    for (const [at, path, accept] of [
      [host, `/r/${id}${rest}`, '*/*'],
      [host, `/r/${id.toLowerCase()}${rest}`, 'text/html'],
      ['go.example.net', `/${id}${rest}`, '*/*'],
      ['go.example.net', `/${id}${rest}`, 'text/html'],
      [host, `/v1/url/r/${id}${rest}`, '*/*'],
    ] as const) {
      const { status, location } = await onHost(at, path, accept);
      assert.is(status, 301, `${at}${path}`);
      assert.is(location, 'https://example.com/target');
    }
  }
});
written('of a paste leads a program that asks for text to its text', async () => {
  const id = await paste();
  const { host } = new URL(server.origin);
  const text = await onHost(host, `/r/${id}`, 'text/plain');
  assert.is(text.status, 302);
  assert.match(text.location ?? '', new RegExp(`/v1/paste/get/${id}\\?raw=true$`));
  assert.match((await onHost(host, `/r/${id}`, '*/*')).location ?? '', /\/web\//);
});
written('leads to the page of an image or paste, and that page is shown', async () => {
  const ids = { image: await put(photo, 'a.jpg'), paste: await paste(), url: await link() };
  for (const [kind, id] of Object.entries(ids)) {
    for (const rest of remains) {
      if (kind !== 'url') {
        const { status, headers } = await server.request('GET', `//r/${id}${rest}`);
        assert.is(status, 302, rest);
        assert.is(headers.get('location'), `${server.origin}/web/${kind}-render/${id}`);
      }
      for (const path of [`//web/${kind}-render/${id}${rest}`, `//web/site/render/${id}${rest}`])
        assert.is((await server.request('GET', path, { headers: html })).status, 200, path);
    }
  }
});
written('a visit is counted once, and HEAD counts none', async () => {
  const id = await link({ maxUses: 2 });
  assert.is((await server.request('HEAD', `//r/${id}.`)).status, 301);
  assert.is((await server.request('GET', `//r/${id})`)).status, 301);
  assert.is((await server.request('GET', `//r/${id}%E2%80%9D`)).status, 301);
  assert.is((await server.request('GET', `//r/${id},`)).status, 404);
});
written('letters, digits, hyphens and control characters after an id are not ignored', async () => {
  const id = await link();
  for (const rest of ['%C3%A9', '%E6%97%A5', '-', '_', '0', '.%C3%A9', '%00', '%0A', '%E2%80%9Dx'])
    assert.ok([400, 404].includes((await server.request('GET', `//r/${id}${rest}`)).status), rest);
  for (const rest of ['.', ')', '%20']) {
    assert.is((await server.request('DELETE', `/url/get/${id}${rest}`, { key: user.key })).status, 404);
    assert.is((await server.request('GET', `/url/get/${id}${rest}`)).status, 404);
  }
});
written.run();

const named = suite('an id with the extension of its file');
named.before(start);
named.after(stop);
const bytesOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(`${server.base}${path}`, { method, headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, bytes: await response.bytes() };
};
named('is the same as the id: bytes, headers, ranges, conditions, renditions and details', async () => {
  const id = await put(photo, 'a.jpg');
  const plain = await bytesOf(`/image/get/${id}`);
  for (const extension of ['jpg', 'jpeg', 'JPG', 'Jpeg', 'jpg.', 'jpg)', 'jpg%20']) {
    const path = `/image/get/${id}.${extension}`;
    const got = await bytesOf(path);
    assert.is(got.status, 200, path);
    assert.equal(got.bytes, plain.bytes);
    for (const name of ['etag', 'content-type', 'content-disposition', 'x-uploader', 'cache-control'])
      assert.is(got.headers.get(name), plain.headers.get(name), name);
    const part = await bytesOf(path, { range: 'bytes=5-9' });
    assert.is(part.status, 206);
    assert.equal(part.bytes, plain.bytes.slice(5, 10));
    assert.is((await bytesOf(path, { 'if-none-match': plain.headers.get('etag') ?? '' })).status, 304);
    const head = await bytesOf(path, {}, 'HEAD');
    assert.is(head.status, 200);
    assert.is(head.headers.get('content-length'), String(plain.bytes.length));
    assert.is((await bytesOf(`${path}?width=160&format=webp`)).headers.get('content-type'), 'image/webp');
    assert.is((await server.request('GET', `${path}?info=true`)).body.message.uniqueId, id);
  }
});
named('with any other extension is found nowhere', async () => {
  const id = await put(photo, 'a.jpg');
  for (const extension of ['png', 'jp', 'jpgx', 'webp', 'jpg.png', 'tar.jpg', 'exe']) {
    for (const path of [`/image/get/${id}.${extension}`, `//r/${id}.${extension}`])
      assert.is((await server.request('GET', path)).status, 404, path);
    assert.is((await server.request('GET', `//r/${id}.${extension}`, { headers: html })).status, 404);
  }
  for (const other of [await link(), await paste()])
    for (const extension of ['jpg', 'txt', 'html'])
      assert.is((await server.request('GET', `//r/${other}.${extension}`)).status, 404);
  assert.is((await server.request('GET', `/url/r/${await link()}.com`)).status, 404);
});
named('leads to the page at /r and on the short host, and a video to its bytes', async () => {
  const id = await put(photo, 'a.jpg');
  const { host } = new URL(server.origin);
  for (const [at, path, accept] of [
    [host, `/r/${id}.jpeg`, '*/*'],
    [host, `/r/${id}.JPG`, 'text/html'],
    ['i.example.net', `/${id}.jpg`, '*/*'],
    ['i.example.net', `/${id}.jpg`, 'text/html'],
  ] as const)
    assert.equal(await onHost(at, path, accept), {
      status: 302,
      location: `${server.origin}/web/image-render/${id}`,
    });
  assert.is((await onHost('go.example.net', `/${id}.jpg`)).status, 404);
  const movie = await put(webmMovie(), 'a.webm');
  const video = await server.request('GET', `/image/get/${movie}.webm`);
  assert.is(video.status, 302);
  assert.is(video.headers.get('location'), `${server.base}/image/get/video/${movie}`);
  assert.is((await bytesOf(`/image/get/video/${movie}.webm`)).headers.get('content-type'), 'video/webm');
  assert.is((await bytesOf(`/image/get/video/${movie}.mp4`)).status, 404);
});
named('keeps to the password, to privacy and to the views of the item', async () => {
  const locked = await put(photo, 'a.jpg', { password: 'opens it' });
  assert.is((await bytesOf(`/image/get/${locked}.jpg`)).status, 403);
  assert.is((await bytesOf(`/image/get/${locked}.jpg?password=opens%20it`)).status, 200);
  const hidden = await put(photo, 'a.jpg', { private: 'true' });
  assert.is((await bytesOf(`/image/get/${hidden}.jpg`)).status, 403);
  assert.is((await bytesOf(`/image/get/${hidden}.jpg`, { 'x-api-key': user.key })).status, 200);
  assert.is((await bytesOf(`/image/get/${hidden}.jpg`, html)).status, 302);
  const limited = await put(photo, 'a.jpg', { maxViews: '1' });
  assert.is((await bytesOf(`/image/get/${limited}.jpg`, {}, 'HEAD')).status, 200);
  assert.is((await bytesOf(`/image/get/${limited}.jpg`)).status, 200);
  assert.is((await bytesOf(`/image/get/${limited}.jpg`)).status, 404);
  assert.is((await bytesOf(`/image/get/${limited}`)).status, 404);
});
named('is the direct link of the page; the addresses in answers stay as they are', async () => {
  const id = await put(photo, 'a.jpg');
  const { text } = await server.request('GET', `//web/image-render/${id}`, { headers: html });
  assert.match(text, new RegExp(`Direct link[^]*${server.base}/image/get/${id}\\.jpg"`));
  const { body } = await server.request('GET', `/image/info/${id}`);
  assert.is(body.message.urlSet.rawUrl, `${server.base}/image/get/${id}`);
});
named.run();
