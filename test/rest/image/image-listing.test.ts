// on both databases
/** What is in an archive, and what is in a text, of files in an object store: read seldom, and not needed for a page. */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createKeptTexts } from '../../../server/drivers/limits/kept-texts.js';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { zip } from '../../support/media/archive-fixtures.js';
import { followRequests } from '../../support/servers/interleave.js';
import { bucketEnv, type FaultyLine, faultyLine, ownBucket } from '../../support/stores/object-store.js';
import { until } from '../../support/until.js';

const bucket = await ownBucket();
const test = suite('archives whose entries are listed, in an object store');
let server: TestServer;
let line: FaultyLine;
test.before(async () => {
  if (bucket === null) return;
  line = await faultyLine(bucket.endpoint);
  server = await startServer(bucketEnv({ ...bucket, endpoint: line.url }));
  followRequests(server.app.server);
});
test.after(async () => {
  if (bucket === null) return;
  await server.close();
  await line.close();
});

async function upload(bytes: Uint8Array, name: string): Promise<string> {
  const { status, body } = await server.request('POST', '/image/upload', {
    key: server.owner.key,
    form: fileForm(bytes, name),
  });
  assert.is(status, 200, body.message);
  return body.uniqueId;
}
const archive = () => upload(zip([{ name: 'inside.txt', data: randomBytes(100) }]), 'a.zip');
const entries = (uniqueId: string) =>
  server.request('GET', `//trpc/image.entries?input=${encodeURIComponent(JSON.stringify({ uniqueId }))}`);
const pageOf = (uniqueId: string) =>
  server.request('GET', `//web/image-render/${uniqueId}`, { headers: { accept: 'text/html' } });
/** How often the bytes of a file were fetched from the store. */
const fetched = () => line.seen.filter((request) => /^GET .*\/blobs\/[0-9a-f]{64}/.test(request)).length;

if (bucket !== null) {
  test('an archive is fetched once, whether it can be listed or not', async () => {
    const [good, bad] = [await archive(), await upload(Buffer.from('PK\u0003\u0004 no zip'), 'b.zip')];
    for (const id of [good, bad]) {
      const before = fetched();
      const first = await entries(id);
      for (let count = 0; count < 3; count += 1) assert.is((await entries(id)).text, first.text);
      assert.ok(fetched() - before <= 1, `${fetched() - before} times`);
    }
    assert.equal((await entries(good)).body.result.data, {
      entries: [{ path: 'inside.txt', size: 100 }],
      more: false,
    });
    assert.match((await pageOf(good)).text, 'inside.txt');
  });

  test('only two of many archives are fetched at once', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, archive));
    const before = fetched();
    line.fault = (method, path) => (method === 'GET' && path.includes('/blobs/') ? 'silence' : 'none');
    const asked = ids.map(entries);
    await until(async () => fetched() - before >= 2);
    // By then all requests have been received and looked up.
    assert.is((await server.request('GET', `/image/info/${ids[0]}`)).status, 200);
    assert.is(fetched() - before, 2);
    line.fault = () => 'none';
    await line.cut();
    await line.mend();
    for (const { status } of await Promise.all(asked)) assert.ok([200, 503].includes(status), `${status}`);
    assert.equal(await readdir(join(server.dataDir, 'staging')), []);
  });

  test('while the store fails, the pages of archives and texts are shown without what is in them', async () => {
    const ids = [await archive(), await upload(Buffer.from('some words'), 'a.txt')];
    for (const fault of ['server error', 'cut at half'] as const) {
      line.fault = (method, path) => (method === 'GET' && path.includes('/blobs/') ? fault : 'none');
      for (const id of ids) {
        const page = await pageOf(id);
        assert.is(page.status, 200, `${fault}: ${page.text.slice(0, 500)}`);
        assert.not.match(page.text, /inside\.txt|some words/);
      }
    }
    line.fault = () => 'none';
    assert.match((await pageOf(ids[0] ?? '')).text, 'inside.txt');
    assert.match((await pageOf(ids[1] ?? '')).text, 'some words');
  });
}

test('texts are kept while there is room, the one that was asked for last longest', () => {
  const kept = createKeptTexts(80);
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) kept.keep(key, '123456789');
  assert.is(kept.get('a'), '123456789');
  kept.keep('i', '123456789');
  assert.equal([kept.get('a'), kept.get('b'), kept.get('i')], ['123456789', null, '123456789']);
  kept.keep('i', 'other');
  assert.is(kept.get('i'), 'other');
  kept.keep('j', '1234567890');
  assert.is(kept.get('j'), null, 'too long');
  kept.keep('a', 'gone', 0);
  assert.is(kept.get('a'), null);
});

test.run();
