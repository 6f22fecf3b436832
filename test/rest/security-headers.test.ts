/** Every class of answer has the same security headers, whoever writes it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { API_PREFIX } from '../../rest-adapter/route.js';
import { routes } from '../../rest-adapter/routes/index.js';
import { type Answer, fileForm, startServer, type TestServer } from '../harness.js';
import { ask } from '../hostile/raw.js';
import { cookies, sessionOf } from '../support/accounts/accounts.js';

interface World {
  server: TestServer;
}
const headers = suite<World>('security headers');
const PORTAL = 'https://portal.example.net';

headers.before(async (world) => {
  world.server = await startServer({
    BASE_URL: 'https://files.example.org',
    FRONTEND_URL: PORTAL,
    CORS_ORIGINS: 'https://app.example.com',
  });
});
headers.after(({ server }) => server.close());

/** On every answer, with this value. */
const FIXED: Readonly<Record<string, string>> = {
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
};
/** On every answer, with one of these values. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  'x-frame-options': ['SAMEORIGIN'],
  'referrer-policy': ['no-referrer', 'same-origin'],
  'cross-origin-resource-policy': ['same-origin', 'same-site', 'cross-origin'],
};

/** What is wrong with the headers of an answer. */
function faultsOf(got: Headers): string[] {
  const fixed = Object.entries(FIXED).filter(([name, value]) => got.get(name) !== value);
  // A header that is sent twice is joined with a comma.
  const chosen = Object.entries(CHOSEN).filter(([name, values]) => !values.includes(got.get(name) ?? ''));
  const policy = got.get('content-security-policy') ?? '';
  return [
    ...[...fixed, ...chosen].map(([name]) => `${name}: ${got.get(name)}`),
    ...(policy.startsWith("default-src 'none'") && !policy.includes(',') ? [] : [`policy: ${policy}`]),
  ];
}

async function expectAll(answers: Readonly<Record<string, Answer>>): Promise<void> {
  const wrong = Object.entries(answers).flatMap(([what, { headers: got }]) =>
    faultsOf(got).map((fault) => `${what}: ${fault}`),
  );
  assert.equal(wrong, []);
}

for (const row of routes) {
  headers(`${row.method} ${row.path}`, async ({ server }) => {
    const path = row.path.replace(/\{\w+\}/g, 'NOTHING1');
    const ask = (prefix: string, key?: string) =>
      server.request(row.method, `/${prefix}${path}`, row.method === 'GET' ? { key } : { key, json: {} });
    await expectAll({
      anonymous: await ask(API_PREFIX),
      'at the root': await ask(row.atRoot ? '' : API_PREFIX),
      // Not what would end the account that the other tests use.
      ...(row.method === 'GET' ? { owner: await ask(API_PREFIX, server.owner.key) } : {}),
    });
  });
}

headers('contents, redirects, refusals and pages, on the hot path and beside it', async ({ server }) => {
  const { key } = server.owner;
  const upload = async (fields: Record<string, string>) =>
    (await server.request('POST', '/image/upload', { key, form: fileForm('some text', 'a.txt', fields) }))
      .body.uniqueId;
  const open = await upload({});
  const hidden = await upload({ private: 'true' });
  const link = await server.request('POST', '/url/create', { key, json: { url: 'https://example.com/' } });
  const paste = await server.request('POST', '/paste/create', { key, json: { text: 'words' } });
  const get = (path: string, more: Record<string, string> = {}, method = 'GET') =>
    server.request(method, path, { headers: more });
  const etag = (await get(`/image/get/${open}`)).headers.get('etag') ?? '';
  const session = cookies({ session_token: await sessionOf(server, server.owner) });
  const answers: Record<string, Answer> = {
    '200 hot': await get(`/image/get/${open}`),
    '200 beside': await get(`/image/get/${open}?download=true`),
    '200 head': await get(`/image/get/${open}`, {}, 'HEAD'),
    '206': await get(`/image/get/${open}`, { range: 'bytes=1-2' }),
    '304': await get(`/image/get/${open}`, { 'if-none-match': etag }),
    '416': await get(`/image/get/${open}`, { range: 'bytes=99-' }),
    '301 hot': await get(`/url/r/${link.body.uniqueId}`),
    '301 beside': await get(`//r/${link.body.uniqueId}`),
    '200 paste': await get(`/paste/get/${paste.body.uniqueId}`),
    '200 text': await get(`/paste/get/${paste.body.uniqueId}?raw=true`),
    '200 base64': await get(`/image/get/${open}?base64=true`),
    '404 hot': await get('/image/get/NOTHING1'),
    '404 beside': await get('/nothing'),
    '404 root': await get('//nothing'),
    '404 page': await get('//nothing', { accept: 'text/html' }),
    '403 hot': await get(`/image/get/${hidden}`),
    '302 to the page': await get(`/image/get/${hidden}?x=1`, { accept: 'text/html' }),
    '405': await get('/image/upload', {}, 'DELETE'),
    '204 options': await get('/image/upload', {}, 'OPTIONS'),
    preflight: await get(
      '/image/upload',
      { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
      'OPTIONS',
    ),
    'with an origin': await get(`/image/get/${open}`, { origin: 'https://app.example.com' }),
    'cross-site': await server.request('POST', '/auth/login', {
      headers: { origin: 'https://evil.example' },
      json: {},
    }),
    trpc: await get('//trpc/site.status'),
    'trpc 404': await get('//trpc/nothing'),
    openapi: await get('/openapi.json'),
    page: await get('//web/login'),
    'page of the owner': await get('//web/settings/security', session),
    redirect: await get('//web/settings/security'),
    assets: await get('//web/assets/icon.svg'),
    status: await get('//status'),
    start: await get('//'),
  };
  await expectAll(answers);
  for (const [what, { status }] of Object.entries(answers))
    if (/^\d+/.test(what)) assert.is(status, Number.parseInt(what, 10), what);
  const page = answers.page?.headers.get('permissions-policy') ?? '';
  assert.match(page, 'camera=()');
});

headers('what is refused before it is a request', async ({ server }) => {
  const { port } = server.app.address;
  for (const raw of [
    'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
    'nonsense\r\n\r\n',
    'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nConnection: close\r\n\r\n',
    'GET /nothing HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n',
    'POST /ws/nothing HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n',
  ]) {
    const answer = await ask(port, raw);
    const got = new Headers(
      [...answer.headers].map(([name, values]): [string, string] => [name, values.join(', ')]),
    );
    assert.equal(faultsOf(got), [], `${answer.status} ${raw.split('\r\n')[0]}`);
  }
});

headers('only open contents may be embedded by every site, others by the front ends', async ({ server }) => {
  const { key } = server.owner;
  const policyOf = async (
    fields: Record<string, string>,
    options: { key?: string; headers?: Record<string, string>; query?: string },
  ) => {
    const { body } = await server.request('POST', '/image/upload', {
      key,
      form: fileForm('some text', 'a.txt', fields),
    });
    const answer = await server.request('GET', `/image/get/${body.uniqueId}${options.query ?? ''}`, options);
    assert.is(answer.status, 200);
    return answer.headers.get('cross-origin-resource-policy');
  };
  const referer = (site: string) => ({ key, headers: { referer: `${site}/page?x=1` } });
  assert.is(await policyOf({}, {}), 'cross-origin');
  assert.is(await policyOf({ maxViews: '3' }, {}), 'cross-origin');
  assert.is(await policyOf({ private: 'true' }, { key }), 'same-site');
  assert.is(await policyOf({ password: 'secret' }, { query: '?password=secret' }), 'same-site');
  assert.is(await policyOf({ private: 'true' }, referer('https://evil.example')), 'same-site');
  assert.is(await policyOf({ private: 'true' }, referer(`${PORTAL}.evil.example`)), 'same-site');
  assert.is(await policyOf({ private: 'true' }, referer(PORTAL)), 'cross-origin');
  assert.is(await policyOf({ private: 'true' }, referer('https://app.example.com')), 'cross-origin');
});

headers('subdomains are included on request only, and http has no such header', async () => {
  for (const [env, wanted] of [
    [{ BASE_URL: 'https://example.org', HSTS_SUBDOMAINS: 'true' }, 'max-age=31536000; includeSubDomains'],
    [{}, null],
  ] as const) {
    const server = await startServer(env);
    const { headers: got } = await server.request('GET', '//status');
    assert.is(got.get('strict-transport-security'), wanted);
    await server.close();
  }
});

headers.run();
