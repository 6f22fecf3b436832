// on both databases
/** The export of an account has everything that is kept of it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noteImported } from '../../../db/content/imported.js';
import { keepOldAddress } from '../../../db/content/old-address.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { makePack } from '../../support/content/packs.js';
import { unzip } from '../../support/media/unzip.js';

interface World {
  server: TestServer;
  user: TestAccount;
  other: TestAccount;
}
const test = suite<World>('export of an account');
test.before(async (world) => {
  world.server = await startServer({ TRASH_DAYS: '7' });
  world.user = await world.server.account();
  world.other = await world.server.account();
});
test.after(({ server }) => server.close());

async function exported({ server }: World, account: TestAccount): Promise<Map<string, string>> {
  const login = await server.request('POST', '/auth/login', {
    json: { email: account.email, password: account.password },
  });
  const cookie = (login.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const answer = await fetch(`http://127.0.0.1:${server.app.address.port}/web/settings/account/export`, {
    headers: { cookie },
  });
  assert.is(answer.status, 200);
  const files = await unzip(Buffer.from(await answer.arrayBuffer()));
  return new Map([...files].map(([name, bytes]) => [name, bytes.toString()]));
}
const linesOf = (text: string | undefined) =>
  (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('what a paste was, what is in the trash, the visits of links, and where things came from', async (world) => {
  const { server, user, other } = world;
  const call = (method: string, path: string, json: unknown = {}, key = user.key) =>
    server.request(method, path, { key, json });
  const paste = (await call('POST', '/paste/create', { text: 'first', title: 'A/B' })).body.message;
  await call('PATCH', `/paste/get/${paste.uniqueId}`, { text: 'second', uniqueId: null });
  const upload = async (text: string) =>
    (await server.request('POST', '/image/upload', { key: user.key, form: fileForm(text, 'gone.txt') })).body
      .message.uniqueId as string;
  const gone = await upload('a deleted file');
  await server.request('PATCH', `/image/get/${gone}`, { key: user.key, json: { uniqueId: 'renamed-once' } });
  await server.request('DELETE', '/image/get/renamed-once', { key: user.key });
  const deleted = (await call('POST', '/paste/create', { text: 'a deleted paste' })).body.message.uniqueId;
  await server.request('DELETE', `/paste/get/${deleted}`, { key: user.key });
  const pack = await makePack(server, user.key, ['in a pack']);
  await server.request('DELETE', `/files/pack/public/${pack.packId}`, { key: user.key });
  const kept = await upload('renamed and kept');
  await server.request('PATCH', `/image/get/${kept}`, { key: user.key, json: { uniqueId: 'new-name' } });
  const link = (await call('POST', '/url/create', { url: 'https://example.com/' })).body.message.uniqueId;
  for (let visit = 0; visit < 3; visit += 1) await server.request('GET', `//r/${link}`);
  const theirs = (await call('POST', '/paste/create', { text: 'not mine' }, other.key)).body.message.uniqueId;
  const { db } = server.app.services;
  await db.write(async (trx) => {
    for (const [uniqueId, key] of [
      [paste.uniqueId, 'row 1'],
      [theirs, 'row 2'],
    ]) {
      const { id } = await trx('pastes').where('unique_id', uniqueId).first('id');
      await noteImported(trx, { source: 'elsewhere', key, kind: 'paste', itemId: id });
      await keepOldAddress(trx, { address: `old/${key}`, kind: 'paste', itemId: id, asPage: true });
    }
  });

  const files = await exported(world, user);
  const revisions = [...files].filter(([name]) => name.startsWith(`pastes/${paste.uniqueId} revisions/`));
  assert.equal(revisions.map(([, text]) => text).sort(), ['first', 'second']);
  assert.is(files.get(`pastes/${paste.uniqueId}.txt`), 'second');
  assert.is(files.get('trash/image renamed-once/gone.txt'), 'a deleted file');
  assert.is(files.get(`trash/paste ${deleted}.txt`), 'a deleted paste');
  assert.is(
    [...files].find(([name]) => name.startsWith(`trash/collection ${pack.packId}/`))?.[1],
    'in a pack',
  );
  assert.equal(
    linesOf(files.get('trash.jsonl'))
      .map(({ kind }) => kind)
      .sort(),
    ['collection', 'image', 'paste'],
  );
  assert.is(linesOf(files.get(`links/${link} visits.jsonl`)).length, 3);
  const [views] = linesOf(files.get('views.jsonl')).filter(({ uniqueId }) => uniqueId === link);
  assert.equal([views.kind, views.people + views.bots], ['url', 3]);
  const [item] = linesOf(files.get('files.jsonl'));
  assert.equal([item.uniqueId, item.aliases], ['new-name', [kept]]);
  assert.equal(linesOf(files.get('origins.jsonl')), [
    {
      kind: 'paste',
      uniqueId: paste.uniqueId,
      imported: [{ source: 'elsewhere', key: 'row 1' }],
      addresses: ['old/row 1'],
    },
  ]);
  assert.not([...files.values()].some((text) => text.includes('not mine') || text.includes('row 2')));
});

test('the text of a paste that can be read once stays unread, in the trash as well', async (world) => {
  const { server } = world;
  const account = await server.account();
  const make = async (text: string) =>
    (await server.request('POST', '/paste/create', { key: account.key, json: { text, burn: true } })).body
      .message.uniqueId as string;
  await make('secret in the list');
  const deleted = await make('secret in the trash');
  await server.request('DELETE', `/paste/get/${deleted}`, { key: account.key });
  const files = await exported(world, account);
  assert.is(linesOf(files.get('trash.jsonl')).length, 1);
  assert.not([...files.values()].some((text) => text.includes('secret')));
});

test.run();
