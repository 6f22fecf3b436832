// on both databases
/** Links in files: export, import and the visits of a link. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';

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
    [`url\n${'a\n'.repeat(1_500_000)}`, csv],
    [`[${'1,'.repeat(1_500_000)}1]`, { 'content-type': 'application/json' }],
  ] as const) {
    const refused = await send(world, body, '', headers);
    assert.equal([refused.status, refused.body.message], [400, 'An import can have at most 5000 links']);
  }
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
