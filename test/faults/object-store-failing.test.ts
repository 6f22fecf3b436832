/**
 * The object store is cut off, fails, resets connections, lies and asks to slow down, under load. Callers see
 * success or 503 in the envelope with `Retry-After`; a broken download is cut off and never looks complete.
 * Acknowledged data can be read to the last byte, no row lacks its bytes, no object lacks a row after the
 * sweep, nothing stays staged; hanging downloads use hardly any memory. Requests that need no object (pastes,
 * links, content in memory) continue meanwhile.
 */
import { randomBytes } from 'node:crypto';
import { type ClientRequest, get } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweep } from '../../server/runtime/upkeep/sweep.js';
import { startServer, type TestServer } from '../harness.js';
import { nothingStaged } from '../hostile/guarantees.js';
import { type Fault, type FaultyLine, faultyLine, ownBucket } from '../support/stores/object-store.js';
import { until } from '../support/until.js';
import type { Actor } from './clients/actions.js';
import { Client, sha256 } from './clients/client.js';
import { checkPromises } from './clients/guarantees.js';
import { checkRefusal, inTime, newActor, startTroubledLoad } from './servers/troubled.js';

const ROUNDS = Number(process.env.HOLDALL_FAULT_ROUNDS ?? 1);
/** Larger content is streamed from the store and never held in memory. */
const LARGE = 9 * 1024 * 1024;
/** Faults that delay the store client no longer than its own pauses. */
const QUICK: readonly Fault[] = [
  'server error',
  'slow down',
  'reset at half',
  'cut at half',
  'lost answer',
  { say: '' },
];

/** Concurrent downloads. */
const DOWNLOADS = 12;

/** How downloads ended. */
interface Ends {
  whole: number;
  refused: number;
  cut: number;
}

const bucket = await ownBucket();
const test = suite<{ line: FaultyLine; server: TestServer; client: Client; actor: Actor }>(
  'a failing object store',
);

test.before(async (context) => {
  if (bucket === null) return;
  context.line = await faultyLine(bucket.endpoint);
  context.server = await startServer({
    S3_ENDPOINT: context.line.url,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  });
  const { port } = context.server.app.address;
  context.client = new Client(`http://127.0.0.1:${port}`, context.server.owner.key);
  context.actor = await newActor(context.client);
});
test.after(async ({ client, server, line }) => {
  if (bucket === null) return;
  client.close();
  await server.close();
  await line.close();
});

/** Rows and objects match exactly, and nothing is staged. */
async function nothingIsLeft({ app, dataDir }: TestServer): Promise<void> {
  const {
    db,
    storage: { blobs },
    jobs,
  } = app.services;
  await jobs.settle();
  await nothingStaged(dataDir);
  await db.write((trx) => trx('blobs').whereNotNull('doomed_at').decrement('doomed_at', 3_600_000));
  await sweep(app.services, -1);
  const named = (await db.read('blobs').select('sha256')).map((row) => row.sha256);
  const stored: string[] = [];
  for await (const blob of blobs.list()) stored.push(blob.sha256);
  assert.equal(stored.sort(), named.sort());
}

/** A download is complete and correct, refused, or cut off. */
async function download(client: Client, id: string, bytes: Buffer, ends: Ends): Promise<void> {
  const answer = await inTime(
    client.send('GET', `/image/get/${id}`).catch(() => null),
    'a download',
  );
  if (answer === null) ends.cut += 1;
  else if (answer.status === 200) {
    assert.is(sha256(answer.body), sha256(bytes), 'what looks whole is whole');
    ends.whole += 1;
  } else {
    assert.is(answer.status, 503);
    checkRefusal(answer);
    ends.refused += 1;
  }
}

/** Resolves with the request once the first bytes have arrived. */
function beginDownload(url: string): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const asked = get(url, (answer) => {
      answer.on('error', () => undefined).once('data', () => resolve(asked));
    });
    asked.on('error', reject);
  });
}

if (bucket !== null) {
  test('under load, every kind of failure', async ({ line, server, client, actor }) => {
    const bytes = randomBytes(LARGE);
    const { uniqueId } = await client.upload(bytes);
    for (let round = 0; round < ROUNDS; round += 1) {
      line.fault = () => (actor.random.next() < 0.75 ? actor.random.pick(QUICK) : 'none');
      const load = startTroubledLoad(actor, [503]);
      const ends = { whole: 0, refused: 0, cut: 0 };
      const downloads = Array.from({ length: DOWNLOADS }, () => download(client, uniqueId, bytes, ends));
      await load.refused(15);
      await Promise.all(downloads);
      line.fault = () => 'none';
      await load.acknowledged(30);
      await load.stop();
      console.log(`# refused ${[...load.refusals]}, downloads ${JSON.stringify(ends)}`);
      await checkPromises(client, actor.ledger);
    }
    await nothingIsLeft(server);
  });

  test('cut off: requests that need no object continue, and everything recovers', async ({
    line,
    server,
    client,
  }) => {
    const [small, large] = [randomBytes(1000), randomBytes(LARGE)];
    const held = (await client.upload(small)).uniqueId;
    const far = (await client.upload(large)).uniqueId;
    assert.is((await client.send('GET', `/image/get/${held}`)).status, 200);
    await line.cut();
    const before = await server.app.services.db.read('images').count({ total: '*' });
    assert.is((await client.send('GET', `/image/get/${far}`)).status, 503);
    await until(async () => (await client.send('GET', '/status')).status === 503);
    const refused = await server.request('POST', '/image/upload', {
      key: server.owner.key,
      body: randomBytes(1000),
      headers: { 'content-type': 'application/octet-stream' },
    });
    assert.equal([refused.status, refused.body.error], [503, true]);
    assert.equal(await server.app.services.db.read('images').count({ total: '*' }), before);
    assert.ok(small.equals((await client.send('GET', `/image/get/${held}`)).body), 'held in memory');
    await client.json('POST', '/paste/create', { text: 'goes on' });
    // The row is deleted at once, its object by a later sweep.
    await client.ask('DELETE', `/image/get/${far}`);
    await line.mend();
    await until(async () => (await client.send('GET', '/status')).status === 200);
    await client.upload(randomBytes(LARGE));
    await nothingIsLeft(server);
    // Their removal was interrupted, so for five minutes the same bytes would have been refused
    // (docs/adr/0006).
    await client.upload(large);
  });

  test('downloads that stall on the connection use hardly any memory each', async ({
    line,
    server,
    client,
  }) => {
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.push((await client.upload(randomBytes(LARGE))).uniqueId);
    line.fault = (method) => (method === 'GET' ? 'trickle' : 'none');
    const before = process.memoryUsage.rss();
    const held = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        beginDownload(`${client.origin}/v1/image/get/${ids[index % ids.length]}`),
      ),
    );
    const grown = process.memoryUsage.rss() - before;
    for (const asked of held) asked.destroy();
    line.fault = () => 'none';
    assert.ok(grown < 150 * 1024 * 1024, `${grown} bytes more`);
    await nothingIsLeft(server);
  });

  test('a few "slow down" answers, then success: callers notice nothing', async ({ line, client }) => {
    let left = 2;
    line.fault = () => {
      left -= 1;
      return left >= 0 ? 'slow down' : 'none';
    };
    const bytes = randomBytes(LARGE);
    const { uniqueId } = await client.upload(bytes);
    left = 2;
    assert.ok(bytes.equals((await client.send('GET', `/image/get/${uniqueId}`)).body));
    line.fault = () => 'none';
  });

  test('the store refuses a wrong ETag of a part, and the upload is refused too', async ({
    line,
    server,
  }) => {
    line.fault = (method, path) =>
      method === 'PUT' && path.includes('partNumber') ? { header: 'etag', value: '"0"' } : 'none';
    const answer = await server.request('POST', '/image/upload', {
      key: server.owner.key,
      body: randomBytes(17 * 1024 * 1024),
      headers: { 'content-type': 'application/octet-stream' },
    });
    assert.is(answer.status, 503, JSON.stringify(answer.body));
    line.fault = () => 'none';
    await nothingIsLeft(server);
  });
}

test.run();
