import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOORS } from '../../rest-adapter/doors/index.js';
import { createHotPath } from '../../rest-adapter/hot-path.js';
import { describeApi } from '../../rest-adapter/openapi/index.js';
import { describePages } from '../../rest-adapter/openapi/pages.js';
import { API_PREFIX } from '../../rest-adapter/route.js';
import { routes } from '../../rest-adapter/routes/index.js';
import { collectionIdInput, fileIdInput } from '../../routers/core/items/ids.js';
import { fileNameInput } from '../../routers/features/pack/names.js';
import { appRouter } from '../../routers/index.js';
import { redactUrl } from '../../server/runtime/logger.js';
import { pages } from '../../server/web/routes.js';
import { hasBoth, isForPages } from '../../server/web/serving/audience.js';
import { type Answer, startServer } from '../harness.js';
import { clientOnly } from '../support/interface/client-only.js';
import { INTERFACE } from '../support/interface/interface.js';

const table = suite('the route table of /v1');

/** The parameters in the OpenAPI document, by path and method. */
type DescribedPaths = Record<string, Record<string, { readonly parameters?: readonly Parameter[] }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
}

const nameless = (method: string, path: string) => `${method} ${path.replace(/\{\*?\w+\}/g, '{}')}`;
const served = new Set([
  ...routes.map((route) => nameless(route.method, route.path)),
  ...pages.flatMap((page) => page.paths.map((path) => nameless(page.method, path.replace('/v1/', '/')))),
]);
const procedures = Object.keys(appRouter._def.procedures);

table('every operation of the interface has a route or a page', () => {
  assert.equal(
    INTERFACE.filter((operation) => !served.has(operation)),
    [],
  );
});

table('every route names a procedure', () => {
  assert.equal(
    routes.filter((route) => !procedures.includes(route.procedure)).map((route) => route.path),
    [],
  );
});

table('every procedure has a route, or is for clients or other products only, never both', () => {
  const entrances = Object.values(DOORS).flatMap((door) => door.entrances);
  const only = new Set<string>(clientOnly);
  const atDoors = entrances.flatMap(({ procedures }) => procedures).filter((name) => !only.has(name));
  const routed = new Set<string>([...routes.map((route) => route.procedure), ...atDoors]);
  assert.equal(procedures.filter((name) => !routed.has(name)).sort(), [...clientOnly].sort());
});

/** A path with values in place of its parameters. */
const filled = (path: string): string => path.replace(/\{\*?\w+\}/g, 'value');

table('what belongs to the pages, to the API or to both is known before the pages are loaded', () => {
  const pagePaths = new Set(pages.flatMap(({ paths }) => paths));
  for (const { paths, htmlOnly } of pages)
    for (const path of paths.map(filled)) {
      assert.is(isForPages({ path }), !htmlOnly, path);
      assert.is(hasBoth({ path }), htmlOnly, path);
    }
  for (const route of routes) {
    const path = `${API_PREFIX}${route.path === '/' ? '' : route.path}`;
    if (pagePaths.has(path)) continue;
    assert.not(isForPages({ path: filled(path) }), path);
    assert.not(hasBoth({ path: filled(path) }), path);
  }
});

table('every page that the OpenAPI document describes exists', () => {
  const paths = new Set(pages.flatMap((page) => page.paths.map((path) => filled(path.replace('/v1/', '/')))));
  assert.equal(
    Object.keys(describePages()).filter((path) => !paths.has(filled(path))),
    [],
  );
});

/** Names of parameters whose values open something. */
const SECRET = /key|password|token|code|secret|state/i;

table('a secret that a route takes in its address is not logged', () => {
  const secrets: string[] = [];
  const api = describeApi(routes, { version: '0', baseUrl: 'http://localhost/v1' });
  for (const [path, methods] of Object.entries(api.paths as DescribedPaths))
    for (const { parameters = [] } of Object.values(methods))
      for (const parameter of parameters.filter(({ name }) => SECRET.test(name))) {
        const { name, in: place } = parameter;
        if (place === 'header') continue;
        secrets.push(name);
        const url =
          place === 'path'
            ? filled(path.replace(`{${name}}`, 'open-sesame'))
            : `${filled(path)}?first=1&${name}=open-sesame`;
        assert.not.match(redactUrl(`${API_PREFIX}${url}`), /open-sesame/, `${path} ${name}`);
      }
  assert.ok(secrets.length > 10);
});

table('no two routes take the same method and path', () => {
  const seen = routes.map((route) => nameless(route.method, route.path));
  assert.equal(
    seen.filter((operation, index) => seen.indexOf(operation) !== index),
    [],
  );
});

table('a custom id is no word that follows in another path at the same place', () => {
  const all = [
    ...routes.map(({ method, path }) => ({ method, parts: path.split('/') })),
    ...pages.flatMap(({ method, paths }) => paths.map((path) => ({ method, parts: path.split('/') }))),
  ];
  const isOpen = (part: string | undefined) => part?.startsWith('{') === true;
  // An address belongs to two routes if both match; whose id that is, is said by what precedes it.
  const words = new Set<string>();
  for (const { method, parts } of all)
    for (const other of all.filter((each) => each.method === method && each.parts.length === parts.length))
      parts.forEach((part, place) => {
        const word = other.parts[place] ?? '';
        const rest = parts.every(
          (each, index) =>
            index === place || each === other.parts[index] || isOpen(each) || isOpen(other.parts[index]),
        );
        if (isOpen(part) && !isOpen(word) && rest) words.add(`${parts.slice(0, place).join('/')}/ ${word}`);
      });
  const refused = [...words].filter((entry) => {
    const [before = '', word = ''] = entry.split(' ');
    if (before.startsWith('/collection/')) return !collectionIdInput.safeParse(word).success;
    if (before.startsWith('/image/get/')) return !fileIdInput.safeParse(word).success;
    if (before === '/files/') return !fileNameInput.safeParse(word).success;
    return false;
  });
  // The rest are places where no word like these can be chosen: account names, numbers and mail addresses.
  const chosen = [...words].filter((entry) => !/^\/(user|admin|request|chatapp|discord|email)\//.test(entry));
  assert.equal(chosen.sort(), refused.sort());
  assert.ok(refused.length >= 4, refused.join());
});

table('405: a fixed path is not treated as an item for the methods that it lacks', async () => {
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

/** The service behind this operation is not configured. */
const isAbsent = ({ status }: Answer, path: string): boolean =>
  status === 404 && /^\/(?:chatapp|discord|telegram)\//.test(path);

/** The credential is among the fields, or in a third party's header. */
const SHOWN_IN_BODY = new Set(['POST /auth/login/code', 'POST /telegram/webhook']);

table('openapi.json describes every operation of the interface and every route', async () => {
  const server = await startServer();
  try {
    const { status, body } = await server.request('GET', '/openapi.json');
    assert.is(status, 200);
    assert.is((await server.request('GET', '/openapi.json/')).status, 200);
    const refused = await server.request('POST', '/openapi.json');
    assert.equal([refused.status, refused.headers.get('allow')], [405, 'HEAD, GET, OPTIONS']);
    assert.match(body.openapi, /^3\.1\./);
    for (const route of routes)
      assert.ok(body.paths[route.path]?.[route.method.toLowerCase()], `${route.method} ${route.path}`);
    const described = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => nameless(method.toUpperCase(), path)),
    );
    assert.equal(
      INTERFACE.filter((operation) => !described.includes(operation)),
      [],
    );
    assert.equal(
      body,
      JSON.parse(JSON.stringify(describeApi(routes, { version: body.info.version, baseUrl: server.base }))),
    );
  } finally {
    await server.close();
  }
});

table('openapi.json says what each operation requires: a key, something else, or nothing', async () => {
  const server = await startServer();
  try {
    const { paths, components, tags } = (await server.request('GET', '/openapi.json')).body;
    assert.equal(Object.keys(components), ['schemas', 'responses', 'securitySchemes']);
    for (const route of routes) {
      const operation = paths[route.path][route.method.toLowerCase()];
      const asked = operation.security.flatMap((way: object) => Object.keys(way));
      const name = `${route.method} ${route.path}`;
      const answer = await server.request(route.method, route.path.replace(/\{\*?\w+\}/g, 'NOSUCHID'), {
        ...(route.method === 'GET' ? {} : { json: {} }),
      });
      if (asked.includes('apiKey')) assert.ok(answer.status === 401 || isAbsent(answer, route.path), name);
      else if (asked.length === 0 && !SHOWN_IN_BODY.has(name)) assert.is.not(answer.status, 401, name);
      for (const way of asked) assert.ok(way in components.securitySchemes, way);
      if (route.method === 'DELETE')
        assert.equal(
          (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === 'query'),
          [],
        );
    }
    const shown = Object.entries<Record<string, { parameters?: { name: string }[] }>>(paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods)
          .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === 'X-Password'))
          .map(([method]) => `${method} ${path}`),
    );
    assert.ok(shown.includes('get /image/get/{uniqueId}') && shown.includes('post /paste/get/{uniqueId}'));
    for (const operation of shown)
      assert.match(
        operation,
        /^(?:get|post) \/(?:image|paste|url|r|qr|collection|files|request)\/[^{]*\{uniqueId\}/,
      );
    const reading = paths['/paste/get/{uniqueId}'].get;
    assert.ok(reading.parameters.some(({ name }: { name: string }) => name === 'raw'));
    assert.ok('429' in reading.responses);
    assert.is(paths['/auth/logout'].post.requestBody, undefined);
    const groups = tags.map(({ name }: { name: string }) => name);
    for (const methods of Object.values<Record<string, { tags: string[]; description: string }>>(paths))
      for (const {
        tags: [group, ...more],
        description,
      } of Object.values(methods))
        assert.ok(groups.includes(group) && more.length === 0 && description.length > 20);
    const paste = paths['/paste/create'].post.requestBody.content;
    assert.equal(paste['multipart/form-data'].schema.properties.file, { type: 'string', format: 'binary' });
    const link = paths['/url/create'].post.requestBody.content;
    assert.equal(link['application/json'].schema.required, ['url']);
    const { $ref } = paths['/user/get/@me'].delete.requestBody.content['application/json'].schema;
    assert.is(components.schemas[$ref.replace(/^.*\//, '')].properties.password.type, 'string');
  } finally {
    await server.close();
  }
});

table('openapi.json says which answers have no message and which no body', () => {
  const { paths } = describeApi(routes, { version: '1', baseUrl: 'http://localhost' }) as {
    // biome-ignore lint/suspicious/noExplicitAny: as deep as the document
    paths: Record<string, Record<string, any>>;
  };
  const described = (operation: string): unknown => {
    const [method = '', path = ''] = operation.split(' ');
    const { 200: ok, 204: empty } = paths[path]?.[method.toLowerCase()]?.responses ?? {};
    if (empty !== undefined) return 'no body';
    const { allOf = [], $ref } = ok.content['application/json'].schema;
    assert.is($ref ?? allOf[0].$ref, '#/components/schemas/Envelope');
    return allOf.length > 1 && 'message' in allOf[1].properties;
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

table('openapi.json names the records, so that generated clients have types for them', () => {
  const { paths, components } = describeApi(routes, { version: '1', baseUrl: 'http://localhost' }) as {
    // biome-ignore lint/suspicious/noExplicitAny: as deep as the document
    paths: Record<string, Record<string, any>>;
    components: { schemas: Record<string, unknown> };
  };
  const messageOf = (method: string, path: string): unknown =>
    paths[path]?.[method].responses[200].content['application/json'].schema.allOf[1].properties.message;
  for (const [method, path, name] of [
    ['post', '/image/upload', 'Image'],
    ['post', '/paste/create', 'Paste'],
    ['post', '/url/create', 'Link'],
    ['post', '/auth/login', 'Account'],
    ['post', '/stats/all', 'OwnStatistics'],
    ['patch', '/user/me/socials', 'Socials'],
    ['get', '/image/playlist/get/{identifier}', 'Playlist'],
  ] as const) {
    assert.equal(messageOf(method, path), { $ref: `#/components/schemas/${name}` }, path);
    assert.ok(name in components.schemas);
  }
  assert.equal(messageOf('get', '/url/get/{uniqueId}/logs'), {
    type: 'array',
    items: { $ref: '#/components/schemas/Visit' },
  });
});

table('what the hot path reads of a request is written out: a spread costs as much as the rest', () => {
  for (const { hot, path, read } of routes)
    if (hot) assert.not.match(String(read), '...', `${path} (docs/adr/0025)`);
});

table('the hot path serves every route marked hot, in its plain case only', () => {
  const taken = new Error('taken');
  const serve = createHotPath(routes, API_PREFIX, {
    contextOf: () => {
      throw taken;
    },
    vary: () => null,
    onError: () => undefined,
  });
  const isHot = (path: string): boolean => {
    const req = Object.assign(new IncomingMessage(new Socket()), {
      method: 'GET',
      url: `${API_PREFIX}${path}`,
    });
    const answer = serve(req, new ServerResponse(req));
    answer?.catch((error: unknown) => assert.is(error, taken));
    return answer !== null;
  };
  const hot = routes.filter((route) => route.hot);
  const paths = hot.map((route) => route.path.replace('{uniqueId}', 'nowhere'));
  for (const path of paths) {
    assert.ok(isHot(path), path);
    assert.not.ok(isHot(`${path}?password=pass`), path);
    assert.not.ok(isHot(`${path}%20`), path);
  }
  assert.ok(paths.includes('/image/get/video/nowhere'));
  assert.not.ok(isHot('/image/get/poster/nowhere'));
});

table.run();
