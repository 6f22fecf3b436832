// on both databases
/** What a change of an item takes, its creation takes as well, in every form; and ids as long as an import may bring. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';

interface World {
  server: TestServer;
  user: TestAccount;
}
const test = suite<World>('fields of new items');
test.before(async (world) => {
  world.server = await startServer();
  world.user = await world.server.account();
});
test.after(({ server }) => server.close());

/** Creation and change of each kind, and what only a change has: a new file brings its name, a favourite is chosen later. */
const WAYS = [
  ['/image/upload', '/image/get/{uniqueId}', ['originalName', 'favourite']],
  ['/paste/create', '/paste/get/{uniqueId}', ['favourite']],
  ['/url/create', '/url/get/{uniqueId}', ['favourite']],
] as const;

test('no field of a change is missing at the creation', async ({ server }) => {
  const { paths } = (await server.request('GET', '/openapi.json')).body;
  const fieldsOf = (operation: {
    requestBody: { content: Record<string, { schema: { properties?: object } }> };
  }) =>
    Object.entries(operation.requestBody.content).flatMap(([type, { schema }]) =>
      schema.properties === undefined ? [] : [[type, Object.keys(schema.properties)] as const],
    );
  for (const [creation, change, only] of WAYS) {
    const changed = new Set(fieldsOf(paths[change].patch).flatMap(([, names]) => names));
    const created = fieldsOf(paths[creation].post);
    assert.ok(created.length > 0 && changed.size > 5, creation);
    for (const [type, names] of created)
      assert.equal(
        [...changed].filter((name) => !names.includes(name)),
        only,
        `${creation} as ${type}`,
      );
  }
});

test('a link that is created private leads nobody else to its target', async ({ server, user }) => {
  const ways = [
    { json: { url: 'https://example.com/hidden', private: true } },
    { form: new URLSearchParams({ url: 'https://example.com/hidden', private: 'true' }) },
  ];
  for (const way of ways) {
    const made = await server.request('POST', '/url/create', { key: user.key, ...way });
    assert.equal([made.status, made.body.message?.isPublic], [200, false], made.text);
    const visited = await server.request('GET', `/url/r/${made.body.uniqueId}`);
    assert.is(visited.status, 403);
    const seen = await server.request('GET', `/url/get/${made.body.uniqueId}`);
    assert.not.match(seen.text, /hidden/);
  }
});

test('a target is an address, without quotes, formulas and what is invisible around it', async ({
  server,
  user,
}) => {
  const make = (url: string) => server.request('POST', '/url/create', { key: user.key, json: { url } });
  for (const url of [
    'https:/example.org',
    'HTTP:example.org',
    '"https://example.org/a"',
    "'example.org/a'",
    '=HYPERLINK("https://example.org/a")',
  ]) {
    const refused = await make(url);
    assert.equal([refused.status, refused.body.message], [400, 'This is not a valid URL'], url);
  }
  const made = await make('\u200b https://example.org/a\u200b\ufeff');
  assert.is(made.body.message.originalUrl, 'https://example.org/a');
});

test('ids have up to 128 characters, at creation, change and import', async ({ server, user }) => {
  const { key } = user;
  const long = 'Summer-Campaign-Berlin-2026'.padEnd(128, '_');
  const made = await server.request('POST', '/url/create', {
    key,
    json: { url: 'example.com', uniqueId: long },
  });
  assert.is(made.status, 200, made.text);
  assert.is((await server.request('GET', `/url/r/${long.toLowerCase()}`)).status, 301);
  assert.is((await server.request('GET', `/r/${long}`)).status, 301);
  const next = long.replace('2026', '2027');
  const change = (uniqueId: string) =>
    server.request('PATCH', `/url/get/${long}`, { key, json: { uniqueId } });
  assert.is((await change(next)).status, 200);
  assert.is((await server.request('GET', `/url/r/${next}`)).status, 301);
  const refused = await change(`${next}x`);
  assert.is(refused.status, 400);
  assert.match(refused.body.message, /^uniqueId: /);
  const imported = await server.request('POST', '/url/import', {
    key,
    json: [{ url: 'example.com', uniqueId: long.replace('2026', '2028') }],
  });
  assert.is(imported.status, 200, imported.text);
  const form = new FormData();
  form.set('file', new File(['text'], 'a.txt'));
  form.set('uniqueId', long);
  assert.is((await server.request('POST', '/image/upload', { key, form })).status, 200);
  assert.is((await server.request('GET', `/image/get/${long}`)).status, 200);
});

test('an export that is imported elsewhere opens nothing that was closed', async ({ server }) => {
  const [from, to] = [await server.account(), await server.account()];
  for (const json of [
    { url: 'https://example.com/open', forwardQuery: true },
    { url: 'https://example.com/private', private: true },
    { url: 'https://example.com/protected', password: 'secret' },
  ])
    assert.is((await server.request('POST', '/url/create', { key: from.key, json })).status, 200);
  for (const format of ['csv', 'json']) {
    const exported = (await server.request('GET', `/url/export?format=${format}`, { key: from.key })).text;
    const body = exported
      .replace(/^[A-Z0-9]{8},/gm, ',')
      .replace(/"uniqueId": ?"[A-Z0-9]{8}"/g, '"uniqueId":""');
    const type = format === 'csv' ? 'text/csv' : 'application/json';
    const done = await server.request('POST', '/url/import', {
      key: to.key,
      body,
      headers: { 'content-type': type },
    });
    assert.is(done.status, 200, done.text);
  }
  const list = (await server.request('GET', '/url/export', { key: to.key })).body.message;
  const closed = list.map((link: { url: string; isPublic: boolean }) => [
    link.url.split('/').at(-1),
    link.isPublic,
  ]);
  const once = [
    ['open', true],
    ['private', false],
    ['protected', false],
  ];
  assert.equal(closed, [...once, ...once]);
  assert.equal(
    list.map(({ forwardQuery }: { forwardQuery: boolean }) => forwardQuery),
    [true, false, false, true, false, false],
  );
});

test.run();
