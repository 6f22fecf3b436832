/** What Holdall assumes of Node beyond its documentation: a failure here names the file to adapt to a new version. */
import { createHook } from 'node:async_hooks';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  answerOn,
  beforeHead,
  collectGarbage,
  isInTurn,
  keepFromBlocking,
  keepTickObject,
  makesOffer,
  onceInTurn,
  replaceEnd,
  requestWith,
  sendingOn,
  stopAccepting,
} from '../../server/runtime/http/node-internals.js';
import { until } from '../support/until.js';

const test = suite("Node's internals");

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** The sentence of a failure. */
const broken = (what: string): string =>
  `Node ${process.version} no longer ${what}: adapt server/runtime/http/node-internals.ts`;

/** A server and one connection to it, both ends; everything is closed afterwards. */
async function withConnection(
  run: (server: Server, client: Socket, socket: Socket) => Promise<void>,
  before: (server: Server) => void = () => undefined,
): Promise<void> {
  const server = createServer({ keepAliveTimeout: 60_000 });
  before(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  const [socket] = await connected;
  try {
    await run(server, client, socket);
  } finally {
    client.destroy();
    server.closeAllConnections();
    if (server.listening) server.close();
  }
}

/** Sends a request and returns what the server makes of it. */
async function exchange(server: Server, client: Socket): Promise<[IncomingMessage, ServerResponse]> {
  const arrived = once(server, 'request');
  client.write(GET);
  return (await arrived) as [IncomingMessage, ServerResponse];
}

test('a socket knows the response in progress on it, from the request to the end', () =>
  withConnection(async (server, client, socket) => {
    assert.is(answerOn(socket), null, broken('leaves `_httpMessage` unset between requests'));
    const [, res] = await exchange(server, client);
    assert.is(answerOn(socket), res, broken('keeps the response as `_httpMessage` of its socket'));
    res.end();
    await once(res, 'close');
    assert.is(answerOn(socket), null, broken('clears `_httpMessage` after a response'));
  }));

test('the handle of a socket counts what the kernel has not taken yet', () =>
  withConnection(async (server, client, socket) => {
    client.pause();
    const [, res] = await exchange(server, client);
    assert.is(sendingOn(socket)?.pending, 0, broken('counts no bytes in `_handle.writeQueueSize` at rest'));
    const size = 48 * 1024 * 1024;
    res.end(Buffer.alloc(size));
    const sending = () => sendingOn(socket) ?? { taken: 0, pending: 0 };
    await until(() => sending().taken > 0);
    const { taken, pending } = sending();
    assert.ok(pending > 0, broken('counts waiting bytes in `_handle.writeQueueSize`'));
    assert.ok(taken + pending >= size, broken('counts all bytes in `_handle.bytesWritten`'));
    client.resume();
    await until(() => sending().pending === 0);
    assert.ok(sending().taken >= size, broken('counts written bytes in `_handle.bytesWritten`'));
    socket.destroy();
    assert.is(sendingOn(socket), null, broken('drops `_handle` of a closed socket'));
  }));

test('a response that ends its connection does so through `destroySoon` of the socket', () =>
  withConnection(async (server, client, socket) => {
    const [, res] = await exchange(server, client);
    const ended = new Promise<() => void>((resolve) => replaceEnd(socket, resolve));
    res.shouldKeepAlive = false;
    res.end('answer');
    const gone = once(res, 'close').then(() => null);
    const close = await Promise.race([ended, gone.then(() => setImmediate(null))]);
    assert.ok(close, broken('calls `destroySoon` of a socket after its last response'));
    assert.not(socket.destroyed);
    const closed = once(client.resume(), 'close');
    close?.();
    await closed;
  }));

test('a head that nobody writes goes through `writeHead`, of the response or of its class', async () => {
  let byClass = 0;
  class Counted extends ServerResponse {
    override writeHead(...head: unknown[]): this {
      byClass += 1;
      return (super.writeHead as (...head: unknown[]) => this)(...head);
    }
  }
  const server = createServer({ ServerResponse: Counted }, (_req, res) => {
    beforeHead(res, () => res.setHeader('x-seen', 'yes'));
    res.end('answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close().closeAllConnections();
  assert.is(answer.headers.get('x-seen'), 'yes', broken('calls a replaced `writeHead` for an implicit head'));
  assert.is(byClass, 1, broken('calls `writeHead` of the class of its responses'));
});

test('of pipelined requests only the first has a socket; the next is told when it gets it', () =>
  withConnection(async (server, client) => {
    const answers: ServerResponse[] = [];
    server.on('request', (_req, res) => answers.push(res));
    client.resume().write(GET + GET);
    await until(() => answers.length === 2);
    const [first, second] = answers;
    if (first === undefined || second === undefined) throw new Error('no responses');
    assert.ok(isInTurn(first), broken('gives the first response its socket at once'));
    assert.not(isInTurn(second), broken('withholds the socket from a response that has to wait'));
    let told = false;
    onceInTurn(second, () => {
      told = true;
    });
    first.end();
    await once(first, 'close');
    await setImmediate();
    assert.ok(told, broken("emits 'socket' when a response gets its socket"));
    assert.ok(isInTurn(second));
  }));

test('an offer of another protocol that is not taken is a request with its body', async () => {
  const takes = requestWith(({ method, headers }) => method === 'GET' && headers.upgrade === 'ours');
  const server = createServer({ IncomingMessage: takes }, async (req, res) => {
    let body = '';
    for await (const bytes of req) body += bytes;
    res.shouldKeepAlive = false;
    res.end(`${body} ${makesOffer(req)}`);
  });
  server.on('upgrade', (_req, socket) => socket.end('taken'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answerTo = async (request: string): Promise<string> => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write(request);
    let received = '';
    for await (const bytes of client) received += bytes;
    return received;
  };
  const offer = (protocol: string): string =>
    ` / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: ${protocol}\r\n`;
  try {
    const posted = await answerTo(`POST${offer('ours')}Content-Length: 5\r\n\r\nhello`);
    assert.match(posted, 'hello true', broken('asks `upgrade` of the request before it drops a body'));
    assert.match(await answerTo(`GET${offer('h2c')}\r\n`), ' true', broken('asks `upgrade` of the request'));
    assert.is(await answerTo(`GET${offer('ours')}\r\n`), 'taken');
    assert.match(await answerTo('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), ' false');
  } finally {
    server.close().closeAllConnections();
  }
});

test('a TCP `close` of an HTTP server takes no new connections and keeps idle ones', () =>
  withConnection(async (server, client) => {
    const [, res] = await exchange(server, client);
    res.end();
    await Promise.all([once(client, 'data'), once(res, 'close')]);
    const { port } = server.address() as AddressInfo;
    stopAccepting(server);
    assert.not(server.listening, broken('stops listening through `net.Server.prototype.close`'));
    const refused = connect(port, '127.0.0.1');
    const [error] = await once(refused, 'error');
    assert.is(error.code, 'ECONNREFUSED');
    const [, again] = await exchange(server, client);
    again.end('again');
    const [answer] = await once(client, 'data');
    assert.match(
      String(answer),
      /again/,
      broken('keeps idle connections after `net.Server.prototype.close`'),
    );
  }));

/** The objects behind the calls of `process.nextTick` that `act` makes, held weakly. */
function ticksOf(act: () => void): WeakRef<object>[] {
  const ticks: WeakRef<object>[] = [];
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') ticks.push(new WeakRef(resource));
    },
  });
  hook.enable();
  act();
  hook.disable();
  return ticks;
}

test('the handle of a socket can make its descriptor non-blocking', () =>
  withConnection(async (_server, client) => {
    const { _handle } = client as unknown as { readonly _handle: { setBlocking(on: boolean): number } };
    const asked: boolean[] = [];
    const { setBlocking } = _handle;
    assert.type(setBlocking, 'function', broken('lets the handle of a socket decide whether it blocks'));
    _handle.setBlocking = (on) => {
      asked.push(on);
      return setBlocking.call(_handle, on);
    };
    assert.is(keepFromBlocking(client), true);
    assert.equal(asked, [false]);
    assert.is(keepFromBlocking({}), false);
  }));

test('one object of `nextTick` survives garbage collections, and its hidden class with it', async () => {
  const ticks = [...ticksOf(() => process.nextTick(() => undefined)), ...ticksOf(keepTickObject)];
  // An object behind a weak reference lives at least as long as the job that made the reference.
  await setImmediate();
  collectGarbage();
  assert.equal(
    ticks.map((tick) => tick.deref() !== undefined),
    [false, true],
    broken('shows the object of a `nextTick` as `executionAsyncResource()`'),
  );
});

test('V8 has an option for how much its old objects may grow until they are collected', () => {
  const known = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }).stdout;
  assert.match(known, /--heap-growing-percent /, broken('has `--heap-growing-percent`'));
});

test.run();
