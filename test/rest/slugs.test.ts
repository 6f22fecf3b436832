// on both databases
/** Ids of links: in any script, with slashes, and the words that the service keeps for itself. */
import { request as httpRequest } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOORS } from '../../rest-adapter/doors/index.js';
import { routes } from '../../rest-adapter/routes/index.js';
import { isReserved } from '../../routers/base/slug.js';
import { pages } from '../../server/web/routes.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';

let server: TestServer;
let user: TestAccount;
const TARGET = 'https://example.com/target';
const SHORT = 'go.example.net';

const slugs = suite('ids of links');
slugs.before(async () => {
  server = await startServer({ SHORT_URL_URL: `http://${SHORT}` });
  user = await server.account();
});
slugs.after(() => server.close());

const create = (uniqueId: string, json: object = {}) =>
  server.request('POST', '/url/create', { key: user.key, json: { url: TARGET, uniqueId, ...json } });
const at = (path: string) => path.split('/').map(encodeURIComponent).join('/');
const onHost = (host: string, path: string, accept = '*/*'): Promise<{ status: number; location: string }> =>
  new Promise((resolve, reject) => {
    httpRequest(
      { host: '127.0.0.1', port: server.app.address.port, path, headers: { host, accept } },
      (res) => {
        res.resume();
        resolve({ status: res.statusCode ?? 0, location: res.headers.location ?? '' });
      },
    )
      .on('error', reject)
      .end();
  });
const leads = async (host: string, path: string, accept?: string) => {
  const { status, location } = await onHost(host, path, accept);
  assert.is(`${status} ${location}`, `301 ${TARGET}`, `${host}${path}`);
};

const GOOD = [
  'größe/Straße',
  '日本語/東京',
  'हिन्दी',
  'नमस्ते-१२३',
  'release-1.2',
  'a.jpg',
  'docs/v2/~ann/index.html',
  'ends.',
  '~',
  'ｗｅｂ',
  'wеb',
  'v1x/y',
  'api/mine',
  'x'.repeat(128),
  '𝒜'.repeat(128),
  `${'é'.repeat(64)}/${'ü'.repeat(63)}`,
];
for (const id of GOOD)
  slugs(`"${id.slice(0, 20)}" is made, found and followed wherever links are`, async () => {
    const { status, body } = await create(id);
    assert.is(status, 200, body.message);
    assert.is(body.uniqueId, id);
    const { urlSet } = body.message;
    assert.is(urlSet.shortUrl, `http://${SHORT}/${at(id)}`);
    const { host } = new URL(server.origin);
    for (const accept of ['*/*', 'text/html']) {
      await leads(SHORT, `/${at(id)}`, accept);
      await leads(host, `/r/${at(id)}`, accept);
      await leads(host, `/r/${encodeURIComponent(id)}`, accept);
      await leads(host, `/r/${at(id)}%2C`, accept);
    }
    await leads(host, new URL(urlSet.rawUrl).pathname);
    assert.is((await server.request('GET', `/url/get/${encodeURIComponent(id)}`)).body.message.visits, 9);
    assert.is((await onHost(host, new URL(urlSet.webUrl).pathname, 'text/html')).status, 200);
    for (const page of ['links', 'edit/url', 'delete/url']) {
      const { status } = await server.request('GET', `//web/${page}/${encodeURIComponent(id)}`, {
        key: user.key,
        headers: { accept: 'text/html' },
      });
      assert.is(status, 200, page);
    }
    const log = await server.request('GET', `/url/get/${encodeURIComponent(id)}/logs`, { key: user.key });
    assert.is(log.body.message.length, 9);
    const deleted = await server.request('DELETE', new URL(urlSet.deleteUrl).pathname.replace('/v1', ''), {
      key: user.key,
    });
    assert.is(deleted.status, 200);
  });

slugs('ids are the same in any case and however their letters are composed', async () => {
  assert.is((await create('Stra\u00dfe-\u00c9')).status, 200);
  for (const other of ['stra\u00dfe-\u00e9', 'STRA\u00dfE-E\u0301', 'Stra\u00dfe-e\u0301'])
    assert.is((await create(other)).status, 400, other);
  await leads(new URL(server.origin).host, `/r/${encodeURIComponent('stra\u00dfe-e\u0301')}`);
  assert.is((await create('e\u0301tude')).body.uniqueId, '\u00e9tude');
  const renamed = await server.request('PATCH', `/url/get/${encodeURIComponent('\u00e9tude')}`, {
    key: user.key,
    json: { uniqueId: 'stra\u00dfe-\u00e9' },
  });
  assert.is(renamed.status, 400);
});

const MARKS = '\u0301'.repeat(128);
for (const id of [
  ...['/a', 'a/', 'a//b', '/', '.', '..', 'a/../b', './a', 'a/.', 'a b', 'a?b', 'a#b', 'a%b', 'a\\b', 'a:b'],
  ...[
    '\u0301a',
    '1\u0301',
    MARKS,
    `a${MARKS}\u0301`,
    '😀',
    'a\u200db',
    'a\u202eb',
    '½',
    'x'.repeat(129),
    '\ud800',
  ],
])
  slugs(`${JSON.stringify(id).slice(0, 20)} is refused`, async () => {
    const { status, body } = await create(id);
    assert.is(status, 400);
    assert.match(body.message, /^uniqueId: /);
  });
slugs('what no link can have leads nowhere', async () => {
  const { host } = new URL(server.origin);
  for (const path of ['/r/..%2f..%2fetc', '/r/a//b', '/r/%2f', '/r/%00', '/r/%ff', '/r//', '/r/a%2f..%2fb'])
    assert.ok([400, 404].includes((await onHost(host, path)).status), path);
});

slugs(
  'every word that the service answers at its root is reserved, in any case and with all below',
  async () => {
    const roots = [
      ...routes.filter(({ atRoot, path }) => atRoot && path !== '/').map(({ path }) => path),
      ...pages.flatMap(({ paths }) => paths).filter((path) => path !== '/'),
      ...Object.values(DOORS)
        .flatMap(({ entrances }) => entrances.map(({ path }) => path))
        .filter((path) => path !== '/' && !path.startsWith('/{')),
    ].map((path) => path.replace(/\/?\{.*$/, '').slice(1));
    for (const word of roots) assert.ok(isReserved(word), word);
    for (const word of [
      'v1',
      'robots.txt',
      'Favicon.ico',
      'apple-touch-icon.png',
      'apple-touch-icon-precomposed.png',
      'WEB',
      'trpc/x',
      'r/a',
      'qr',
      'ws',
      'Files/a',
      'domains',
      '.well-known/x',
      'mcp',
    ])
      assert.is((await create(word)).status, 400, word);
  },
);
slugs('a reserved word that an import brings works at /r, and is kept when its link changes', async () => {
  const { body } = await server.request('POST', '/url/import', {
    key: user.key,
    json: [
      { uniqueId: 'web/old', url: TARGET },
      { uniqueId: 'größe/x', url: TARGET },
    ],
  });
  assert.equal(
    body.message.links.map(({ uniqueId, reserved }: Record<string, unknown>) => [uniqueId, reserved]),
    [
      ['web/old', true],
      ['größe/x', false],
    ],
  );
  await leads(new URL(server.origin).host, '/r/web/old');
  const patch = (json: object) => server.request('PATCH', '/url/get/web%2Fold', { key: user.key, json });
  assert.is((await patch({ uniqueId: 'web/old', note: 'kept' })).status, 200);
  assert.is((await patch({ uniqueId: 'Web/Old' })).body.message.uniqueId, 'Web/Old');
  assert.is((await patch({ uniqueId: 'web/new' })).status, 400);
  const csv = (await server.request('GET', '/url/export?format=csv', { key: user.key })).text;
  assert.match(csv, 'Web/Old');
});
slugs('a record of any id has an entity tag, and it is the one of a change', async () => {
  await create('тег/один');
  const path = `/url/get/${encodeURIComponent('тег/один')}`;
  const { headers } = await server.request('PATCH', path, { key: user.key, json: { note: 'a' } });
  const etag = headers.get('etag') ?? '';
  assert.match(etag, /^W\/"url-/);
  const options = { key: user.key, json: { note: 'b' }, headers: { 'if-match': etag } };
  assert.is((await server.request('PATCH', path, options)).status, 200);
  assert.is((await server.request('PATCH', path, options)).status, 412);
});
slugs('a file under its own extension is found, unless a link is called so', async () => {
  const form = fileForm(await jpegPhoto(1, 40, 30), 'p.jpg', { uniqueId: 'both-of' });
  await server.request('POST', '/image/upload', { key: user.key, form });
  const { host } = new URL(server.origin);
  assert.is((await onHost(host, '/r/both-of.jpg')).status, 302);
  await create('both-of.jpg');
  await leads(host, '/r/both-of.jpg');
});
slugs('a refusal names an id of any length', async () => {
  const id = `${'é'.repeat(100)}/x`;
  const { status, body } = await server.request('GET', `/url/get/${encodeURIComponent(id)}`);
  assert.is(status, 404);
  assert.is(body.uniqueId, id);
});
slugs('ids of other kinds have no slash and no other script', async () => {
  for (const uniqueId of ['a/b', 'größe', 'a.b'])
    assert.is(
      (await server.request('POST', '/paste/create', { key: user.key, json: { text: 'x', uniqueId } }))
        .status,
      400,
    );
});
slugs('a list with a column twice is refused', async () => {
  const { status, body } = await server.request('POST', '/url/import?format=csv', {
    key: user.key,
    body: 'url,note,URL\nhttps://example.com/,x,https://example.org/\n',
    headers: { 'content-type': 'text/csv' },
  });
  assert.is(status, 400);
  assert.match(body.message, 'line 1');
});
slugs('a number in a path is digits only', async () => {
  const made = await server.request('POST', '/user/get/@me/keys', {
    key: user.key,
    json: { name: 'k', scopes: ['urls:read'] },
  });
  const id: number = made.body.message.id;
  for (const path of [`${id}e0`, `0x${id.toString(16)}`, `%20${id}`, `+${id}`, `${id}.0`])
    assert.ok(
      [400, 404].includes(
        (await server.request('DELETE', `/user/get/@me/keys/${path}`, { key: user.key })).status,
      ),
      path,
    );
  assert.is((await server.request('DELETE', `/user/get/@me/keys/${id}`, { key: user.key })).status, 200);
});
slugs.run();
