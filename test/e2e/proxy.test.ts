/** Holdall behind the proxies of deploy/proxy, with exactly those settings. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { documentedProxies, type RunningProxy, startProxy } from '../support/servers/proxy.js';
import { until } from '../support/until.js';

const MIB = 1024 ** 2;
/** MAX_UPLOAD_BYTES of the server. */
const LIMIT = 32 * MIB;

for (const proxy of documentedProxies) {
  const test = suite(`behind ${proxy.name}`);
  let folder: string;
  let server: TestServer;
  let front: RunningProxy | null;

  test.before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdall-proxy-'));
    server = await startServer({
      TRUST_PROXY: 'true',
      MAX_UPLOAD_BYTES: String(LIMIT),
      EMAIL_INBOUND_TOKEN: 'worker-token',
    });
    front = await startProxy(proxy, server.origin, folder);
  });
  test.after(async () => {
    await front?.stop();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('large files are uploaded and downloaded unchanged, completely and in part', async () => {
    if (front === null) return;
    const bytes = randomBytes(24 * MIB);
    const headers = { 'x-api-key': server.owner.key };
    const sent = await fetch(`${front.origin}/v1/image/upload`, {
      method: 'POST',
      headers,
      body: fileForm(bytes, 'large.bin'),
    });
    assert.is(sent.status, 200);
    const { uniqueId } = (await sent.json()) as { uniqueId: string };
    const url = `${front.origin}/v1/image/get/${uniqueId}?raw=true`;
    assert.ok(bytes.equals(Buffer.from(await (await fetch(url)).arrayBuffer())));
    const part = await fetch(url, { headers: { range: `bytes=${20 * MIB}-${21 * MIB - 1}` } });
    assert.is(part.status, 206);
    assert.ok(bytes.subarray(20 * MIB, 21 * MIB).equals(Buffer.from(await part.arrayBuffer())));
  });

  test('uploads are streamed: the first bytes arrive before the last are sent', async () => {
    if (front === null) return;
    const half = randomBytes(MIB);
    const upload = request(`${front.origin}/v1/image/upload?filename=slow.bin`, {
      method: 'POST',
      headers: {
        'x-api-key': server.owner.key,
        'content-type': 'application/octet-stream',
        'content-length': 2 * half.length,
      },
    });
    const answered = once(upload, 'response');
    upload.write(half);
    await until(async () => (await readdir(join(server.dataDir, 'staging'))).length > 0);
    upload.end(half);
    const [answer] = await answered;
    assert.is(answer.statusCode, 200);
    assert.is(((await json(answer)) as { message: { size: number } }).message.size, 2 * half.length);
  });

  test("a file that is too large is refused by Holdall's own message", async () => {
    if (front === null) return;
    const refused = await fetch(`${front.origin}/v1/image/upload`, {
      method: 'POST',
      headers: { 'x-api-key': server.owner.key },
      body: fileForm(Buffer.alloc(LIMIT + MIB), 'too-large.bin'),
    });
    assert.is(refused.status, 413);
    assert.is(((await refused.json()) as { error: boolean }).error, true);
  });

  test('visitors are logged with the address that the proxy saw, whatever they claim', async () => {
    if (front === null) return;
    const { key } = server.owner;
    const link = await server.request('POST', '/url/create', { key, json: { url: 'https://example.org' } });
    const id: string = link.body.uniqueId;
    const visit = await fetch(`${front.origin}/v1/url/r/${id}`, {
      redirect: 'manual',
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    assert.is(visit.status, 301);
    const { body } = await server.request('GET', `/url/get/${id}/logs`, { key });
    assert.equal(
      body.message.map(({ ipAddress }: { ipAddress: string }) => ipAddress),
      ['127.0.0.1'],
    );
  });

  test('WebSockets are passed through', async () => {
    if (front === null) return;
    const { key } = server.owner;
    const created = await server.request('POST', '/email/create', { key, json: {} });
    const { email } = created.body.message;
    const socket = new WebSocket(
      `${front.origin.replace('http', 'ws')}/ws/email?email=${email}&apiKey=${key}`,
    );
    await once(socket, 'open');
    const pushed = once(socket, 'message');
    await server.request('POST', '/email/inbound', {
      json: { messageId: 'one', from: 'a@b.cd', to: email, text: 'hello' },
      headers: { 'x-email-token': 'worker-token' },
    });
    assert.is(JSON.parse(String((await pushed)[0])).text, 'hello');
    socket.close();
    await once(socket, 'close');
  });

  test.run();
}
