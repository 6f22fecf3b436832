/** The service itself: its root, its health, and the hosts of short links (contract §4). */
import { watch } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { until } from '../support/until.js';

let server: TestServer;
const site = suite('root, status and short hosts');
site.before(async () => {
  server = await startServer({ SHORT_URL_URL: 'https://go.example.net' });
});
site.after(() => server.close());

/** A request with its own host name, which `fetch` does not allow. */
const ask = (
  host: string,
  path: string,
  method = 'GET',
  from = server,
  accept = '*/*',
): Promise<{ status: number; headers: IncomingHttpHeaders }> =>
  new Promise((resolve, reject) => {
    const { port } = from.app.address;
    httpRequest({ host: '127.0.0.1', port, path, method, headers: { host, accept } }, (res) => {
      res.resume();
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers }));
    })
      .on('error', reject)
      .end();
  });

site('health checks are answered by every name, and are no ids on a short host', async () => {
  for (const host of [new URL(server.origin).host, 'go.example.net'])
    for (const path of ['/healthz', '/readyz', '/v1/healthz'])
      assert.is((await ask(host, path)).status, 200, `${host}${path}`);
  // Other words there are ids.
  assert.is((await ask('go.example.net', '/healthy')).status, 404);
});

site('icons are where programs look for them without reading a page, on short hosts, too', async () => {
  for (const host of [new URL(server.origin).host, 'go.example.net'])
    for (const [path, type, magic] of [
      ['/favicon.ico', 'image/x-icon', '\0\0\x01\0\x01\0'],
      ['/apple-touch-icon.png', 'image/png', '\x89PNG'],
      ['/apple-touch-icon-precomposed.png', 'image/png', '\x89PNG'],
    ] as const) {
      const { status, headers } = await ask(host, path, 'GET', server, 'text/html');
      assert.equal([status, headers['content-type']], [200, type], host + path);
      const bytes = await fetch(server.origin + path).then((answer) => answer.arrayBuffer());
      assert.is(Buffer.from(bytes).toString('latin1', 0, magic.length), magic);
    }
});

site('root and status answer at the host and below /v1, with and without a trailing slash', async () => {
  for (const path of ['//', '//v1', '//v1/', '//status', '//status/', '//v1/status', '//v1/status/']) {
    const { status, body } = await server.request('GET', path);
    assert.equal([status, body?.error, body?.uniqueId], [200, false, null], path);
    assert.equal([body.version, body.startedAt], [body.message.version, body.message.startedAt], path);
    assert.is((await ask('localhost', path.slice(1), 'HEAD')).status, 200, path);
    // At the root, other products' clients send files with POST.
    assert.is((await server.request(path === '//' ? 'DELETE' : 'POST', path)).status, 405, path);
  }
});

site('concurrent health requests share one check of the store', async () => {
  const folder = join(server.dataDir, 'blobs');
  const seen = new Set<string | null>();
  const watcher = watch(folder, (_, name) => seen.add(name));
  try {
    const asked = Array.from({ length: 60 }, (_, index) =>
      server.request('GET', index % 2 === 0 ? '//status' : '/'),
    );
    for (const { status } of await Promise.all(asked)) assert.is(status, 200);
    // Changes are reported in order.
    await writeFile(join(folder, 'last'), '');
    await until(async () => seen.has('last'));
    const looks = [...seen].filter((name) => name?.startsWith('.check-'));
    assert.ok(looks.length < 10, `${looks.length} looks`);
  } finally {
    watcher.close();
    await rm(join(folder, 'last'), { force: true });
  }
});

site('a store that fails is noticed, in the envelope of a failure, and so is its return', async () => {
  const folder = join(server.dataDir, 'blobs');
  const comesTo = (status: number) =>
    until(async () => (await server.request('GET', '//status')).status === status);
  await comesTo(200);
  const { body: started } = await server.request('GET', '/status');
  await rename(folder, `${folder}-away`);
  await comesTo(503);
  const { body } = await server.request('GET', '/status');
  const { error, uniqueId, message, count, version, startedAt, ...rest } = body;
  assert.equal([error, uniqueId, count], [true, null, 0]);
  assert.is(message, 'A part of the service is failing');
  assert.equal([version, startedAt], [started.version, started.startedAt]);
  assert.equal([rest.status, rest.database, rest.storage], ['failing', 'ok', 'failing']);
  assert.equal(Object.keys(rest.queue), Object.keys(started.queue));
  await rename(`${folder}-away`, folder);
  await comesTo(200);
});

site('405: for a page with other methods, as a page that lists them', async () => {
  for (const [path, allow] of [
    ['//web/image-upload', 'HEAD, GET, POST, OPTIONS'],
    ['/web/paste-create', 'HEAD, GET, POST, OPTIONS'],
    ['//web/apidocs', 'HEAD, GET, OPTIONS'],
  ] as const) {
    const { status, headers } = await server.request('DELETE', path);
    assert.equal([status, headers.get('allow')], [405, allow], path);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
  }
  assert.is((await server.request('DELETE', '//web/nowhere')).status, 404);
});

site('404: an unknown address is a page for browsers, and the envelope for tools and below /v1', async () => {
  for (const [path, accept, type] of [
    ['//nothing', 'text/html', /^text\/html/],
    ['//nothing', '*/*', /^application\/json/],
    ['/nothing', 'text/html', /^application\/json/],
  ] as const) {
    const { status, headers } = await server.request('GET', path, { headers: { accept } });
    assert.is(status, 404, path);
    assert.match(headers.get('content-type') ?? '', type, path);
  }
  const page = await server.request('GET', '//nothing', { headers: { accept: 'text/html' } });
  assert.match(page.headers.get('vary') ?? '', 'Accept');
});

site('the API reference shows what operations answer, and the records that they name', async () => {
  const { text } = await server.request('GET', '//web/apidocs', { headers: { accept: 'text/html' } });
  const operation = text.slice(text.indexOf('id="get-auth-me-sessions"'));
  assert.match(
    operation.slice(0, operation.indexOf('</details>')),
    /list of <a href="#record-session">Session<\/a>/,
  );
  for (const [, anchor = ''] of text.matchAll(/href="#(record-\w+)"/g)) assert.match(text, `id="${anchor}"`);
  const record = text.slice(text.indexOf('id="record-session"'));
  assert.match(record.slice(0, record.indexOf('</details>')), /<code>lastUsedAt<\/code>/);
});

site('the root is a page for browsers', async () => {
  for (const path of ['//', '//v1', '//v1/']) {
    const page = await server.request('GET', path, { headers: { accept: 'text/html' } });
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/, path);
    for (const { headers } of [page, await server.request('GET', path)])
      assert.match(headers.get('vary') ?? '', 'Accept', path);
  }
});

site('every answer declares what it varies by: Origin, and Accept where browsers get a page', async () => {
  const { key } = server.owner;
  const make = async (path: string, json: object) =>
    (await server.request('POST', path, { key, json })).body.uniqueId;
  const [open, locked] = [
    await make('/paste/create', { text: 'x' }),
    await make('/paste/create', { text: 'x', private: true }),
  ];
  const form = fileForm('private', 'x.txt', { private: 'true' });
  const hidden = (await server.request('POST', '/image/upload', { key, form })).body.uniqueId;
  const accept = 'text/html';
  for (const [path, status, vary] of [
    [`/paste/get/${open}`, 200, 'Origin'],
    [`/paste/get/${open}?raw=true`, 200, 'Origin'],
    [`/paste/get/${locked}`, 403, 'Origin, Accept'],
    [`/image/get/${hidden}`, 302, 'Origin, Accept'],
    [`/image/get/${hidden}?download=true`, 302, 'Origin, Accept'],
    ['/paste/get/missing', 404, 'Origin'],
  ] as const) {
    const answer = await server.request('GET', path, { headers: { accept } });
    assert.equal([answer.status, answer.headers.get('vary')], [status, vary], path);
  }
});

site('OPTIONS lists the methods of a path outside CORS too', async () => {
  const { status, headers } = await server.request('OPTIONS', '/image/get/x');
  assert.equal([status, headers.get('allow')], [204, 'HEAD, GET, POST, PATCH, PUT, DELETE, OPTIONS']);
  assert.is((await server.request('OPTIONS', '/nowhere')).status, 404);
  const page = await server.request('OPTIONS', '//web/image-upload');
  assert.equal([page.status, page.headers.get('allow')], [204, 'HEAD, GET, POST, OPTIONS']);
});

site(
  'CORS: a page of an allowed origin may send what clients, tracing and streamed batches add',
  async () => {
    const headers = {
      origin: 'http://localhost:3000',
      'access-control-request-method': 'POST',
      'access-control-request-headers':
        'baggage, cache-control, if-match, if-none-match, sentry-trace, trpc-accept',
    };
    const preflight = await server.request('OPTIONS', '//trpc/url.create', { headers });
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ') ?? [];
    for (const name of headers['access-control-request-headers'].split(', '))
      assert.ok(allowed.includes(name), name);
  },
);

site('bytes that are not a valid request are refused in the envelope', async () => {
  const answerTo = async (bytes: string) => {
    const socket = connect(server.app.address.port, '127.0.0.1');
    socket.end(bytes);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
  };
  const start = 'GET /v1/status HTTP/1.1\r\nHost: localhost\r\n';
  const unencoded = [
    '/v1/image/upload?filename=Größe.jpg',
    '/v1/user/me/images?search=予定',
    '/r/x?utm=é',
    '/Größe',
  ];
  for (const [bytes, expected, says] of [
    [`${start}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'too large'],
    [`${start}: nameless\r\n\r\n`, 400, 'A header has characters'],
    [`${start}X-Größe: 1\r\n\r\n`, 400, 'A header has characters'],
    ['hello\r\n\r\n', 400, 'not a valid HTTP request'],
    ...unencoded.map((path) => [start.replace('/v1/status', path), 400, 'percent-encoded'] as const),
  ] as const) {
    const { status, body } = await answerTo(bytes);
    assert.equal([status, body.error, body.uniqueId, body.count], [expected, true, null, 0], bytes);
    assert.match(body.message, says);
    assert.ok(body.timestamp.endsWith('Z'));
  }
});

site('a short host serves its kind at /{id}, however the host is written', async () => {
  const json = { url: 'https://example.com/there' };
  const { body } = await server.request('POST', '/url/create', { key: server.owner.key, json });
  const { uniqueId, urlSet } = body.message;
  assert.is(urlSet.shortUrl, `https://go.example.net/${uniqueId}`);
  for (const host of ['go.example.net', 'GO.Example.net', 'go.example.net:443']) {
    const { status, headers } = await ask(host, `/${uniqueId}`);
    assert.equal([status, headers.location], [301, json.url], host);
  }
  const paste = await server.request('POST', '/paste/create', { key: server.owner.key, json: { text: 't' } });
  assert.is((await ask('go.example.net', `/${paste.body.uniqueId}`)).status, 404);
  assert.is((await ask('elsewhere.example.net', `/${uniqueId}`)).status, 404);
});

site('a short host explains to browsers what leads nowhere, and counts their visit once', async () => {
  const json = { url: 'https://example.com/once', maxUses: 1 };
  const { body } = await server.request('POST', '/url/create', { key: server.owner.key, json });
  const browse = (method = 'GET') =>
    ask('go.example.net', `/${body.uniqueId}`, method, server, 'text/html,application/xhtml+xml,*/*');
  assert.is((await browse('HEAD')).headers.location, json.url);
  assert.equal([(await browse()).status, (await browse()).status], [301, 404]);
  assert.match((await browse()).headers['content-type'] ?? '', 'text/html');
  assert.match((await ask('go.example.net', `/${body.uniqueId}`)).headers['content-type'] ?? '', 'json');
  const { body: url } = await server.request('GET', `/url/get/${body.uniqueId}`, { key: server.owner.key });
  assert.is(url.message.visits, 1);
});

site(
  'kinds that share a short host share its ids: the first item has the address, the others their page',
  async () => {
    const host = 's.example.net';
    const own = await startServer({
      SHORT_IMAGE_URL: `https://${host}`,
      SHORT_URL_URL: `https://${host}`,
      // On the main host, links are at /r/{id}.
      SHORT_PASTE_URL: 'https://files.example.net/',
      BASE_URL: 'https://files.example.net',
    });
    try {
      const { key } = own.owner;
      const make = async (path: string, json: object) =>
        (await own.request('POST', path, { key, json })).body.message;
      const upload = async (uniqueId: string) => {
        const form = fileForm('data', 'a.bin', { uniqueId });
        return (await own.request('POST', '/image/upload', { key, form })).body.message;
      };
      const at = (path: string) => ask(host, path, 'GET', own);
      const link = await make('/url/create', { url: 'https://example.com/there' });
      assert.is(link.urlSet.shortUrl, `https://${host}/${link.uniqueId}`);
      assert.is((await at(`/${link.uniqueId}`)).headers.location, 'https://example.com/there');

      const image = await upload('mine');
      assert.is(image.urlSet.shortUrl, `https://${host}/mine`);
      const later = await make('/url/create', { url: 'https://example.com/later', uniqueId: 'mine' });
      assert.is(later.urlSet.shortUrl, later.urlSet.webUrl);
      assert.is((await at('/mine')).headers.location, image.urlSet.webUrl);

      const paste = await make('/paste/create', { text: 'first', uniqueId: 'words' });
      assert.is(paste.urlSet.shortUrl, 'https://files.example.net/r/words');
      assert.is((await at('/words')).status, 404);
      const words = await upload('words');
      assert.is(words.urlSet.shortUrl, `https://${host}/words`);
      assert.is((await at('/words')).headers.location, words.urlSet.webUrl);
      const main = await ask('files.example.net', '/r/words', 'GET', own);
      assert.is(main.headers.location, paste.urlSet.webUrl);
    } finally {
      await own.close();
    }
  },
);

site.run();
