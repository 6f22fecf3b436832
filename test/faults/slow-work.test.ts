/**
 * Work takes longer than a connection may stay idle. Callers see: a fully received request gets its answer;
 * one that stops arriving still ends at the idle timeout, also on the same connection.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { headOf, open } from '../hostile/raw.js';

const IDLE_MS = 1_000;

const test = suite('work that takes longer than the idle timeout');
let server: TestServer;
let patienceMs: number;
test.before(async () => {
  server = await startServer();
  patienceMs = server.app.server.timeout;
});
test.after(() => server.close());

/** Both ends of a connection, which has the short idle timeout from its first request on. */
async function connect(): Promise<{ readonly client: Socket; readonly accepted: Socket }> {
  const http = server.app.server;
  // Until the first request it has the normal timeout, however late a busy machine reads it.
  http.timeout = patienceMs;
  const accepting = once(http, 'connection');
  const client = await open(Number(new URL(server.origin).port));
  const [accepted] = await accepting;
  http.once('request', () => {
    http.timeout = IDLE_MS;
    accepted.setTimeout(IDLE_MS);
  });
  return { client, accepted };
}

const paste = (path: string) => {
  const json = JSON.stringify({ text: 'hello' });
  const length = String(json.length);
  const head = {
    'X-API-Key': server.owner.key,
    'Content-Type': 'application/json',
    'Content-Length': length,
  };
  return headOf('POST', path, head) + json;
};

/** Sends a request that cannot commit before its connection exceeds the idle timeout; returns the answer. */
async function askSlowly(client: Socket, accepted: Socket, request: string): Promise<string> {
  const silent = once(accepted, 'timeout');
  const held = server.app.services.db.write(() => silent);
  client.write(request);
  const [answer] = await Promise.race([once(client, 'data'), once(client, 'end')]);
  await held;
  return String(answer);
}

for (const path of ['/v1/paste/create', '/trpc/paste.create'])
  test(`a complete request gets its answer, and the next one must arrive in time: ${path}`, async () => {
    const { client, accepted } = await connect();
    assert.match(await askSlowly(client, accepted, paste(path)), /^HTTP\/1\.1 200 /);
    assert.match(await askSlowly(client, accepted, paste(path)), /^HTTP\/1\.1 200 /, 'and once more');
    const over = once(accepted, 'close');
    client.write(paste(path).slice(0, -1));
    await over;
    client.destroy();
  });

test.run();
