/** Clients that hardly read their answers are cut off without affecting others. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DownloadRate, requireDownloadRate } from '../../server/runtime/http/download-rate.js';
import { startServer, type TestServer } from '../harness.js';
import { bucketEnv, ownBucket } from '../support/stores/object-store.js';
import { until } from '../support/until.js';
import { openIn } from './guarantees.js';
import { ask, headOf, open } from './raw.js';

const MIB = 1024 * 1024;
/** More than the buffers of all sockets between client and server hold. */
const LARGE = Buffer.alloc(48 * MIB, 'large');
/** What a slow reader reads between two checks; over that many checks more than those buffers hold. */
const STEP = 4 * MIB;
const MIN_DOWNLOAD_RATE: DownloadRate = { bytes: 256 * 1024, looks: 4 };

const bucket = await ownBucket();
const stores = [{ name: 'disk', env: {} }];
if (bucket !== null) stores.push({ name: 'S3', env: bucketEnv(bucket) });

for (const { name, env } of stores) {
  const test = suite<{ server: TestServer; port: number; large: string }>(`slow readers: ${name}`);

  test.before(async (given) => {
    given.server = await startServer(env);
    const { app, owner } = given.server;
    given.port = app.address.port;
    const answer = await given.server.request('POST', '/image/upload', {
      key: owner.key,
      body: LARGE,
      headers: { 'content-type': 'application/octet-stream' },
    });
    assert.is(answer.status, 200, answer.text);
    given.large = answer.body.uniqueId;
  });
  test.after(async ({ server, large }) => {
    await server.request('DELETE', `/image/get/${large}`, { key: server.owner.key });
    await server.close();
  });

  /** A client, and the end of its connection at the server. */
  async function connect(server: TestServer, port: number): Promise<{ client: Socket; there: Socket }> {
    const connected = once(server.app.server, 'connection');
    const client = await open(port);
    client.on('error', () => undefined);
    const [there] = await connected;
    return { client, there };
  }

  /** A client that starts reading the large file and then stops. */
  async function beginReading(server: TestServer, port: number, large: string) {
    const reader = await connect(server, port);
    reader.client.write(headOf('GET', `/v1/image/get/${large}`, { Connection: 'close' }));
    await once(reader.client, 'readable');
    await until(() => reader.there.writableLength > 0);
    return reader;
  }

  // This test is first, so that the server closes idle connections by itself.
  test('an idle time-out ends a connection only while no answer is pending', async ({
    server,
    port,
    large,
  }) => {
    const reader = await beginReading(server, port, large);
    reader.there.emit('timeout');
    assert.not(reader.there.destroyed);
    const idle = await connect(server, port);
    idle.there.emit('timeout');
    assert.ok(idle.there.destroyed);
    for (const { client } of [reader, idle]) client.destroy();
    assert.is((await ask(port, headOf('GET', '/v1/status', {}))).status, 200);
  });

  test('a client that reads nothing is cut off, and holds no resources any more', async ({
    server,
    port,
    large,
  }) => {
    const look = requireDownloadRate(server.app.server, MIN_DOWNLOAD_RATE);
    const { dataDir } = server;
    const before = await openIn(process.pid, dataDir);
    const { client, there } = await beginReading(server, port, large);
    for (let looks = 0; looks < MIN_DOWNLOAD_RATE.looks; looks += 1) look();
    assert.not(there.destroyed, 'not before its time');
    // Bytes that fit into the buffers count as read, so the time may start once more.
    await until(() => {
      look();
      return there.destroyed;
    });
    client.destroy();
    await until(async () => {
      const { sockets, files } = await openIn(process.pid, dataDir);
      // The aborted connection to the object store is closed too.
      return sockets <= before.sockets && files <= before.files;
    });
  });

  test('a client that is slow but keeps reading gets every byte', async ({ server, port, large }) => {
    const look = requireDownloadRate(server.app.server, MIN_DOWNLOAD_RATE);
    const { client } = await beginReading(server, port, large);
    const chunks: Buffer[] = [];
    let taken = 0;
    let next = STEP;
    for await (const chunk of client) {
      chunks.push(chunk);
      taken += chunk.length;
      if (taken < next) continue;
      next += STEP;
      look();
    }
    const all = Buffer.concat(chunks);
    assert.ok(all.subarray(all.indexOf('\r\n\r\n') + 4).equals(LARGE));
  });

  test('a client with no pending answer is left alone', async ({ server, port }) => {
    const look = requireDownloadRate(server.app.server, MIN_DOWNLOAD_RATE);
    const { client } = await connect(server, port);
    for (let looks = 0; looks < 3 * MIN_DOWNLOAD_RATE.looks; looks += 1) look();
    client.write(headOf('GET', '/v1/status', {}));
    const [answer] = await once(client, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 200/);
    client.destroy();
  });

  test.run();
}
