import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressOf, drain, retire } from '../../server/runtime/http/listening.js';
import { trackUnusedConnections } from '../../server/runtime/http/unused-connections.js';
import { until } from '../support/until.js';

/**
 * A client on its own thread: it keeps the connection after a first answer, and sends a second request after
 * the given number of milliseconds. Its flag says that it has.
 */
const CLIENT = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, flag, afterMs } } = require('node:worker_threads');
  const request = 'GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n';
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  let answers = '';
  socket.on('data', (bytes) => { answers += bytes; });
  socket.on('error', () => undefined);
  socket.on('close', () => parentPort.postMessage(answers));
  socket.once('data', () => parentPort.postMessage('kept'));
  parentPort.once('message', () => setTimeout(() => socket.write(request, () => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  }), afterMs));
`;

const test = suite('listening');

test('the address of a server can be opened, also of IPv6', () => {
  assert.is(addressOf('127.0.0.1', 80), 'http://127.0.0.1:80');
  assert.is(new URL(addressOf('::', 9424)).href, 'http://[::]:9424/');
});

for (const [name, end, afterMs] of [
  ['drain', drain, 0],
  // Idle connections are closed after five seconds.
  ['retire', retire, 6_000],
] as const) {
  test(`${name}: a request received while the process was busy is answered before idle ones are closed`, async () => {
    const server = createServer((_req, res) => res.end('answer'));
    server.keepAliveTimeout = 60_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const { port } = server.address() as AddressInfo;
    const client = new Worker(CLIENT, { eval: true, workerData: { port, flag, afterMs } });
    await once(client, 'message');
    const ended = end(server);
    client.postMessage('send');
    Atomics.wait(flag, 0, 0);
    const [answers] = await once(client, 'message');
    assert.is(answers.split('answer').length - 1, 2);
    await ended;
  });
}

test('a connection that never sent anything is closed at once, one with half a request may finish it', async () => {
  const server = createServer((_req, res) => res.end('answer'));
  trackUnusedConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const connected = once(server, 'connection');
    const client = connect(port, '127.0.0.1');
    const [there] = await connected;
    return { client, there };
  };
  const silent = await open();
  const half = await open();
  half.client.write('GET / HTTP/1.1\r\n');
  await until(async () => half.there.bytesRead > 0);
  const closed = once(silent.client, 'close');
  const ended = drain(server);
  await closed;
  half.client.write('Host: localhost\r\n\r\n');
  const [answer] = await once(half.client, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 200/);
  await ended;
});

test.run();
