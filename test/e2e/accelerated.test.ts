/** Files sent by the proxy in front (`ACCEL`): as deploy/proxy sets it up, and as Holdall would send them. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { acceleratingProxies, type RunningProxy, startProxy } from '../support/servers/proxy.js';

const SIZE = 300_000;
/** Headers of the connection and of the moment, and what the program in front calls itself. */
const OF_THE_WAY = ['connection', 'keep-alive', 'date', 'server', 'via', 'x-request-id', 'last-modified'];

/** A request whose connection is its own, with exactly these headers. */
async function ask(origin: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const sent = request(`${origin}${path}`, { method, headers, agent: false });
  sent.end();
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  const body = await buffer(answer);
  const kept = Object.entries(answer.headers).filter(([name]) => !OF_THE_WAY.includes(name));
  return { status: answer.statusCode, headers: Object.fromEntries(kept.sort()), body };
}

for (const proxy of acceleratingProxies) {
  const test = suite(`files sent by ${proxy.name}`);
  const bytes = randomBytes(SIZE);
  let folder: string;
  let server: TestServer;
  let front: RunningProxy | null;

  test.before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdall-accel-'));
    server = await startServer({ TRUST_PROXY: 'true', ACCEL: proxy.name });
    front = await startProxy(proxy.over(server.dataDir), server.origin, folder, { asMember: true });
  });
  test.after(async () => {
    await front?.stop();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function upload(fields: Record<string, string> = {}): Promise<string> {
    const { key } = server.owner;
    const form = fileForm(bytes, 'large file.bin', fields);
    const { status, body } = await server.request('POST', '/image/upload', { key, body: form });
    assert.is(status, 200);
    return `/v1/image/get/${body.uniqueId}?raw=true`;
  }

  test('the same answer as without it: status, headers and bytes, in whole, in part, and under conditions', async () => {
    if (front === null) return;
    const path = await upload();
    const plain = await ask(server.origin, path);
    assert.ok(bytes.equals(plain.body));
    const etag = String(plain.headers.etag);
    const cases: Record<string, string>[] = [
      {},
      { range: 'bytes=0-0' },
      { range: 'bytes=1000-200999' },
      { range: `bytes=${SIZE - 10}-` },
      { range: 'bytes=-77' },
      { range: `bytes=5-${SIZE * 2}` },
      { range: `bytes=${SIZE}-` },
      { range: 'bytes=0-9,20-29' },
      { range: 'lines=1-2' },
      { 'if-none-match': etag },
      { 'if-none-match': '"another"' },
      { 'if-match': '"another"' },
      { 'if-match': etag },
      { range: 'bytes=0-9', 'if-range': etag },
      { range: 'bytes=0-9', 'if-range': '"another"' },
      { 'if-modified-since': new Date(Date.now() + 3_600_000).toUTCString() },
      { 'if-unmodified-since': new Date(0).toUTCString() },
      { origin: 'https://elsewhere.example' },
      { 'accept-encoding': 'gzip, br' },
    ];
    for (const headers of cases) {
      const [own, through] = [
        await ask(server.origin, path, headers),
        await ask(front.origin, path, headers),
      ];
      const what = JSON.stringify(headers);
      assert.is(through.status, own.status, what);
      // nginx says this of whole files only; a part shows it.
      if (own.status === 206) for (const { headers } of [own, through]) delete headers['accept-ranges'];
      assert.equal(through.headers, own.headers, what);
      // A refusal says when it was made.
      if (own.status !== undefined && own.status < 400)
        assert.ok(
          through.body.equals(own.body),
          `${what}: ${through.body.length} of ${own.body.length} bytes`,
        );
    }
    const head = await ask(front.origin, path, {}, 'HEAD');
    assert.equal([head.status, head.headers], [200, plain.headers]);
  });

  test('the proxy sends the bytes, and only to those whom Holdall lets see them', async () => {
    if (front === null) return;
    const path = await upload();
    const told = await ask(server.origin, path, { 'x-accel-ready': '1' });
    const inside = String(told.headers['x-accel-redirect']);
    assert.match(inside, /^\/holdall-blobs\/[0-9a-f]{2}\/[0-9a-f]{64}$/);
    assert.is(told.body.length, 0);
    assert.is((await ask(server.origin, path)).headers['x-accel-redirect'], undefined, 'nobody else gets it');
    for (const asked of [inside, `${inside}?raw=true`, `/holdall-blobs/../holdall-blobs${inside.slice(14)}`])
      assert.is((await ask(front.origin, asked)).status, 404, asked);

    const hidden = await upload({ private: 'true' });
    const strange = await ask(front.origin, hidden);
    assert.ok([401, 403, 404].includes(strange.status ?? 0), `${strange.status}`);
    assert.not.ok(strange.body.includes(bytes.subarray(0, 1000)));
    const own = await ask(front.origin, hidden, { 'x-api-key': server.owner.key });
    assert.ok(own.status === 200 && bytes.equals(own.body));
    assert.is(own.headers['cache-control'], 'private, no-cache');
  });

  test('a file is opened to the group of Holdall when the proxy sends it, and nothing else is', async () => {
    if (front === null) return;
    const { key } = server.owner;
    const form = fileForm(randomBytes(SIZE), 'new.bin');
    const { uniqueId } = (await server.request('POST', '/image/upload', { key, body: form })).body;
    const { sha256 } = (await server.request('GET', `/image/info/${uniqueId}`)).body.message;
    const folder = join(server.dataDir, 'blobs', sha256.slice(0, 2));
    const openTo = async (...names: string[]) =>
      (await Promise.all(names.map((name) => stat(name)))).map(({ mode }) => mode & 0o077);
    assert.equal(await openTo(join(folder, sha256)), [0]);
    assert.is((await ask(front.origin, `/v1/image/get/${uniqueId}?raw=true`)).status, 200);
    assert.equal(
      await openTo(join(folder, sha256), folder, join(server.dataDir, 'blobs'), server.dataDir),
      [0o040, 0o010, 0o010, 0o010],
    );
    assert.equal(await openTo(join(server.dataDir, 'staging')), [0]);
  });

  test('views are counted exactly', async () => {
    if (front === null) return;
    const { origin } = front;
    const path = await upload({ maxViews: '5' });
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask(origin, path)));
    const seen = answers.filter(({ status }) => status === 200);
    assert.is(seen.length, 5);
    for (const { body } of seen) assert.ok(bytes.equals(body));
  });

  test('small files are sent by Holdall', async () => {
    if (front === null) return;
    const { key } = server.owner;
    const { body } = await server.request('POST', '/image/upload', { key, body: fileForm('short', 's.txt') });
    const path = `/v1/image/get/${body.uniqueId}?raw=true`;
    const told = await ask(server.origin, path, { 'x-accel-ready': '1' });
    assert.is(told.body.toString(), 'short');
    assert.is((await ask(front.origin, path)).body.toString(), 'short');
  });

  test.run();
}
