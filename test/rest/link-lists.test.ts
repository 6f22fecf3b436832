// on both databases
/** Links in files: export, import and the visits of a link. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insertLinks } from '../../db/content/link/link.js';
import { noteLinks, openImport } from '../../db/content/link/open-import.js';
import { query } from '../../db/engine/query.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { until } from '../support/until.js';

interface World {
  server: TestServer;
  user: TestAccount;
}
const test = suite<World>('links in files');
test.before(async (world) => {
  world.server = await startServer({ TRASH_DAYS: '7' });
  world.user = await world.server.account();
});
test.after(({ server }) => server.close());

const csv = { 'content-type': 'text/csv' };
const send = ({ server, user }: World, body: string, query = '', headers: Record<string, string> = csv) =>
  server.request('POST', `/url/import${query}`, { key: user.key, body, headers });

test('CSV is imported, all or nothing, and a refusal names the lines', async (world) => {
  const { server, user } = world;
  const head = 'uniqueId,url,maxUses,expiresAt,password,tags,note\n';
  const good = `${head}imp-1,https://example.com/a,5,,,"red, blue","said ""hi"""\n,example.com/b,,2099-01-01,secret,,\n`;
  const dry = await send(world, good, '?dryRun=true');
  assert.is(dry.status, 200, dry.text);
  assert.equal([dry.body.message.dryRun, dry.body.message.total, dry.body.message.created], [true, 2, 0]);
  assert.is((await server.request('GET', '/url/get/imp-1', { key: user.key })).status, 404);
  const bad = await send(world, `${good}x y,example.com,,,,,\nimp-3,javascript:alert(1),0,,,,\n`);
  assert.is(bad.status, 400);
  assert.match(bad.body.message, /line 4: uniqueId.*line 5: /);
  assert.is((await server.request('GET', '/url/get/imp-1', { key: user.key })).status, 404);
  const done = await send(world, good);
  assert.equal([done.status, done.body.message.created], [200, 2]);
  const { message } = (await server.request('GET', '/url/get/imp-1', { key: user.key })).body;
  assert.equal([message.maxUses, message.note, message.tags], [5, 'said "hi"', ['blue', 'red']]);
  const again = await send(world, good);
  assert.match(again.body.message, /line 2: .*taken/);
  const json = await send(world, JSON.stringify([{ url: 'example.com', uniqueId: 'imp-j' }]), '', {
    'content-type': 'application/json',
  });
  assert.equal([json.status, json.body.message?.created], [200, 1], json.text);
  const form = new FormData();
  form.set('file', new File([`${head},example.com/of-a-file,,,,,\n`], 'links.csv', { type: 'text/csv' }));
  form.set('dryRun', 'true');
  const file = await server.request('POST', '/url/import', { key: user.key, form });
  assert.equal([file.status, file.body.message?.total], [200, 1], file.text);
  const open = await send(world, 'url,note\nexample.com,\n"example.com/open,x\nexample.com/lost,\n');
  assert.equal([open.status, open.body.message], [400, 'line 3: a quote is not closed']);
  for (const body of ['', 'nothing', '[]', '{"a":1}']) assert.is((await send(world, body)).status, 400, body);
});

test('a file of more lines than an import takes is refused without reading all of them', async (world) => {
  for (const [body, headers] of [
    [`url\n${'a\n'.repeat(1_000_000)}`, csv],
    [`[${'1,'.repeat(300_000)}1]`, { 'content-type': 'application/json' }],
  ] as const) {
    const refused = await send(world, body, '', headers);
    assert.equal([refused.status, refused.body.message], [400, 'An import can have at most 5000 links']);
  }
  for (const query of ['', '?dryRun=true'])
    assert.is((await send(world, `url\n${'""""'.repeat(1_800_000)}\n`, query)).status, 413);
});

test('what stands beyond the columns, and a number in another notation, is refused by its line', async (world) => {
  for (const [body, text] of [
    [
      'uniqueId,url\na1,example.com\na2,https://example.com/@48.85,2.29,15z',
      'line 3: there are more cells than columns; put a cell with a comma in quotes',
    ],
    ['url\nexample.com/a,\n', 'line 2: there are more cells than columns; put a cell with a comma in quotes'],
    ...['0x10', '1e3', '0b11', '2.0', '+3', 'Infinity', '1_0'].map((uses) => [
      `url,maxUses\nexample.com,${uses}`,
      /^line 2: maxUses: /,
    ]),
  ] as const) {
    const refused = await send(world, body as string);
    assert.is(refused.status, 400, refused.text);
    if (typeof text === 'string') assert.is(refused.body.message, text);
    else assert.match(refused.body.message, text as RegExp);
  }
  const fine = await send(
    world,
    'url,maxUses,\nexample.com, 10 ,\nexample.com,-1,x\n"a.example/@1,2",,',
    '?dryRun=true',
  );
  assert.equal([fine.status, fine.body.message.total], [200, 3], fine.text);
});

test('a large import is stored in parts, all of them or none', async (world) => {
  const { server } = world;
  const user = await server.account();
  const other = await server.account();
  const app = server.app.services;
  const rows = Array.from({ length: 450 }, (_, index) => ({
    uniqueId: `part-${index}`,
    url: `https://example.com/${index}`,
    tags: Array.from({ length: 20 }, (_, tag) => `tag ${(index + tag) % 50}`),
  }));
  const import_ = (sent: object, key = user.key) =>
    server.request('POST', '/url/import', { key, json: sent });
  const done = await import_(rows);
  assert.equal([done.status, done.body.message.created], [200, 450], done.text);
  const tags = async () =>
    (await server.request('GET', '/user/get/@me/tags', { key: user.key })).body.message;
  assert.is(
    (await tags()).reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    450 * 20,
  );
  const found = await server.request('GET', '/user/get/@me/items?tag=tag%207&search=example&size=1', {
    key: user.key,
  });
  assert.is(found.body.message.totalElements, 180, found.text);
  const again = await import_(rows);
  assert.equal([again.status, again.body.message.split(';').length], [400, 11]);
  // Nothing is noted of an import that has ended, and its job removes nothing.
  const noted = () =>
    query<{ source: string }>(app.db.read, "SELECT source FROM imported WHERE source LIKE '/url/%'");
  assert.equal(await noted(), []);

  // One that is interrupted behind its first part leaves nothing, and adds nothing more.
  const ids = await app.db.write(async (trx) => {
    await openImport(trx, '/url/import test', 1);
    const made = await insertLinks(
      trx,
      ['cut-1', 'cut-2'].map((uniqueId) => ({
        ...{ uniqueId, ownerId: other.id, isPublic: true, passwordHash: null, createdAt: Date.now() },
        ...{ expiresAt: null, originalUrl: 'https://example.com/cut', maxUses: null, tags: ['cut'] },
      })),
    );
    assert.ok(
      await noteLinks(
        trx,
        '/url/import test',
        made.map(({ id }) => id),
      ),
    );
    return made.map(({ uniqueId }) => uniqueId);
  });
  await app.db.write((trx) => app.jobs.add(trx, 'importRemoval', { source: '/url/import test' }));
  app.jobs.kick();
  await until(async () => (await noted()).length === 0);
  for (const id of ids) assert.is((await server.request('GET', `/url/get/${id}`)).status, 404);
  assert.not(await app.db.write((trx) => noteLinks(trx, '/url/import test', [1])));
  assert.equal((await server.request('GET', '/user/get/@me/tags', { key: other.key })).body.message, []);
});

test('an id that somebody takes while a large import is stored undoes all of it', async ({ server }) => {
  const user = await server.account();
  const other = await server.account();
  const rows = Array.from({ length: 1_500 }, (_, index) => ({
    uniqueId: `race-${index}`,
    url: 'https://example.com/race',
    tags: ['race'],
  }));
  const importing = server.request('POST', '/url/import', { key: user.key, json: rows });
  // Once the first part is there, its check is over.
  await until(async () => (await server.request('GET', '/url/get/race-0')).status === 200);
  const json = { url: 'example.com', uniqueId: 'race-1499' };
  const taken = await server.request('POST', '/url/create', { key: other.key, json });
  const imported = await importing;
  const count = (await server.request('GET', '/user/get/@me/items', { key: user.key })).body.message
    .totalElements;
  // Whoever was first has it.
  if (taken.status === 200) assert.equal([imported.status, count], [400, 0], imported.text);
  else assert.equal([taken.status, imported.status, count], [400, 200, 1_500]);
});

test('the export has every link, and an import reads it', async (world) => {
  const { server, user } = world;
  await server.request('GET', '/url/r/imp-1', { headers: { 'user-agent': '=cmd()' } });
  const list = (await server.request('GET', '/url/export', { key: user.key })).body;
  assert.is(list.message.length, 3);
  assert.is(list.count, 3);
  assert.is(list.message[0].visits, 1);
  const text = await server.request('GET', '/url/export?format=csv', { key: user.key });
  assert.match(text.headers.get('content-type') ?? '', /^text\/csv/);
  const ready = text.text.replaceAll('imp-', 'exp-').replace(/^[A-Z0-9]{8},/gm, ',');
  assert.is((await send(world, ready, '?dryRun=true')).body.message.total, 3, ready);
  const visits = await server.request('GET', '/url/get/imp-1/logs/export?format=csv', { key: user.key });
  assert.match(visits.text, /^time,ipAddress,userAgent,referrer,country\r\n[^\n]*,'=cmd\(\),/);
  const other = await server.account();
  assert.is((await server.request('GET', '/url/get/imp-1/logs/export', { key: other.key })).status, 401);
});

test('the pages of editing, revisions and the trash open, and change what they show', async (world) => {
  const { server, user } = world;
  const { key } = user;
  const headers = { origin: server.origin };
  const paste = await server.request('POST', '/paste/create', { key, json: { text: 'one' } });
  const id = paste.body.uniqueId;
  for (const [kind, item] of [
    ['paste', id],
    ['url', 'imp-1'],
  ] as const) {
    const page = await server.request('GET', `//web/edit/${kind}/${item}`, { key });
    assert.is(page.status, 200, page.text.slice(0, 300));
    const stranger = await server.account();
    assert.is.not(
      (await server.request('GET', `//web/edit/${kind}/${item}`, { key: stranger.key })).status,
      200,
    );
  }
  const sent = (text: string) =>
    server.request('POST', `//web/edit/paste/${id}`, {
      key,
      headers,
      form: new URLSearchParams({
        action: 'save',
        revision: `W/"paste-${id}-1"`,
        text,
        title: 'T',
        tags: 'a, b',
      }),
    });
  assert.is((await sent('two')).status, 303);
  const late = await sent('three');
  assert.is(late.status, 412);
  assert.match(late.text, /changed in the meantime/);
  assert.match(late.text, />three</);
  const revisions = await server.request('GET', `//web/paste-revisions/${id}?show=2`, { key });
  assert.is(revisions.status, 200, revisions.text.slice(0, 300));
  assert.match(revisions.text, /-one/);
  const removed = await server.request('POST', `//web/delete/paste/${id}`, {
    key,
    headers,
    form: new URLSearchParams(),
  });
  assert.match(removed.headers.get('location') ?? '', /done=trashed/);
  const trash = await server.request('GET', '//web/trash', { key });
  assert.match(trash.text, new RegExp(`paste/${id}`));
  const form = new URLSearchParams({ action: 'restore', ids: `paste/${id}` });
  assert.is((await server.request('POST', '//web/trash', { key, headers, form })).status, 303);
  assert.is((await server.request('GET', `/paste/get/${id}`)).status, 200);
});

test.run();
