import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeApi } from '../../rest-adapter/openapi.js';
import { rows } from '../../rest-adapter/routes/index.js';
import { appRouter } from '../../routers/index.js';
import { pages } from '../../server/web/pages/index.js';
import { startServer } from '../harness.js';
import { clientOnly } from '../support/client-only.js';
import { INTERFACE } from '../support/interface.js';

const table = suite('the table of /v1');

const nameless = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
const served = new Set([
  ...rows.map((row) => nameless(row.method, row.path)),
  ...pages.flatMap((page) => page.paths.map((path) => nameless(page.method, path))),
]);
const procedures = Object.keys(appRouter._def.procedures);

table('every operation of the interface has a row or a page', () => {
  assert.equal(
    INTERFACE.filter((operation) => !served.has(operation)),
    [],
  );
});

table('every row names a procedure', () => {
  assert.equal(
    rows.filter((row) => !procedures.includes(row.procedure)).map((row) => row.path),
    [],
  );
});

table('every procedure has a row or is for clients only, never both', () => {
  const routed = new Set<string>(rows.map((row) => row.procedure));
  assert.equal(procedures.filter((name) => !routed.has(name)).sort(), [...clientOnly].sort());
});

table('no two rows take the same method and path', () => {
  const seen = rows.map((row) => nameless(row.method, row.path));
  assert.equal(
    seen.filter((operation, index) => seen.indexOf(operation) !== index),
    [],
  );
});

table('405: a fixed path does not name an item by the methods it lacks', async () => {
  const server = await startServer();
  try {
    for (const [method, path, allow] of [
      ['GET', '/email/send', 'POST, OPTIONS'],
      ['DELETE', '/email/inbound', 'POST, OPTIONS'],
      ['DELETE', '/email/getinfo', 'HEAD, GET, POST, OPTIONS'],
      ['DELETE', '/admin/invite/create', 'POST, OPTIONS'],
      ['PUT', '/admin/user/get', 'HEAD, GET, OPTIONS'],
    ] as const)
      for (const key of [undefined, server.owner.key]) {
        const { status, headers } = await server.request(method, path, { key });
        assert.equal([status, headers.get('allow')], [405, allow], `${method} ${path}`);
      }
    assert.is((await server.request('OPTIONS', '/email/send')).status, 204);
  } finally {
    await server.close();
  }
});

table('openapi.json describes every operation of the interface and every row', async () => {
  const server = await startServer();
  try {
    const { status, body } = await server.request('GET', '/openapi.json');
    assert.is(status, 200);
    assert.is((await server.request('GET', '/openapi.json/')).status, 200);
    const refused = await server.request('POST', '/openapi.json');
    assert.equal([refused.status, refused.headers.get('allow')], [405, 'HEAD, GET, OPTIONS']);
    assert.match(body.openapi, /^3\.1\./);
    for (const row of rows)
      assert.ok(body.paths[row.path]?.[row.method.toLowerCase()], `${row.method} ${row.path}`);
    const described = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => nameless(method.toUpperCase(), path)),
    );
    assert.equal(
      INTERFACE.filter((operation) => !described.includes(operation)),
      [],
    );
    assert.equal(
      body,
      JSON.parse(JSON.stringify(describeApi(rows, { version: body.info.version, baseUrl: server.base }))),
    );
  } finally {
    await server.close();
  }
});

table('openapi.json says where an answer has no message, and where no body', () => {
  const { paths } = describeApi(rows, { version: '1', baseUrl: 'http://localhost' }) as {
    // biome-ignore lint/suspicious/noExplicitAny: as deep as the document
    paths: Record<string, Record<string, any>>;
  };
  const described = (operation: string): unknown => {
    const [method = '', path = ''] = operation.split(' ');
    const { 200: ok, 204: empty } = paths[path]?.[method.toLowerCase()]?.responses ?? {};
    return empty === undefined ? 'message' in ok.content['application/json'].schema.properties : 'no body';
  };
  const alone = ['/image/get/{uniqueId}', '/paste/get/{uniqueId}', '/url/get/{uniqueId}'].map(
    (path) => `DELETE ${path}`,
  );
  for (const operation of [...alone, 'POST /auth/register', 'POST /telegram/webhook'])
    assert.is(described(operation), false, operation);
  for (const operation of ['PATCH /user/get/@me/settings/url', 'PATCH /user/get/@me/settings/webhook'])
    assert.is(described(operation), 'no body', operation);
  assert.is(described('POST /image/get/{uniqueId}'), true);
});

table('the hot lane takes every row marked hot, and nothing but its plain case', async () => {
  const server = await startServer();
  // Whatever comes past the lane gets the headers of pages.
  const isHot = async (path: string) =>
    !(await server.request('GET', path)).headers.has('content-security-policy');
  try {
    const hot = rows.filter((row) => row.hot !== null);
    const paths = hot.map((row) => row.path.replace('{uniqueId}', 'nowhere'));
    for (const path of paths) {
      assert.ok(await isHot(path), path);
      assert.not.ok(await isHot(`${path}?password=pass`), path);
      assert.not.ok(await isHot(`${path}%20`), path);
    }
    assert.ok(paths.includes('/image/get/video/nowhere'));
    assert.not.ok(await isHot('/image/get/poster/nowhere'));
  } finally {
    await server.close();
  }
});

table.run();
