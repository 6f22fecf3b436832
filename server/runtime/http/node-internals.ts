/**
 * Everything of Node's HTTP server that its documentation does not promise, in one place: what Holdall needs has no
 * documented way. `test/unit/node-internals.test.ts` has a test for each function; run it first when Node is upgraded.
 */

import { executionAsyncResource } from 'node:async_hooks';
import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket, Server as TcpServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The response in progress on a connection. Node keeps it as `_httpMessage` of the socket. */
export const answerOn = (socket: Duplex): ServerResponse | null =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;

/** What a connection was given to send, in bytes. */
interface Sending {
  /** Accepted by the kernel. */
  readonly taken: number;
  /** Not yet accepted by the kernel. */
  readonly pending: number;
}

/** Counters of the handle under a socket (`_handle`); the public ones do not see partial writes. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** How far a connection is with sending; null if it is closed. */
export function sendingOn(socket: Socket): Sending | null {
  const handle = (socket as { readonly _handle?: Handle | null } & Socket)._handle ?? null;
  if (handle === null) return null;
  const pending = handle.writeQueueSize;
  return { taken: handle.bytesWritten - pending, pending };
}

/**
 * Lets `end` decide how a connection ends after its last response; it is handed what Node would have done. Node calls
 * `destroySoon` of the socket, which can be replaced.
 */
export function replaceEnd(socket: Socket, end: (asUsual: () => void) => void): void {
  const asUsual = (): void => Socket.prototype.destroySoon.call(socket);
  socket.destroySoon = () => end(asUsual);
}

/** Calls `before` before the head of a response is written. Also a head that nobody writes goes through `writeHead`. */
export function beforeHead(res: ServerResponse, before: () => void): void {
  const { writeHead } = res;
  res.writeHead = (...head: unknown[]) => {
    before();
    return (writeHead as (...head: unknown[]) => ServerResponse).apply(res, head);
  };
}

/** Whether it is this response's turn: of pipelined requests, only the first has a response with a socket. */
export const isInTurn = (res: ServerResponse): boolean => res.socket !== null;

/** Calls `act` as soon as it is this response's turn. */
export const onceInTurn = (res: ServerResponse, act: () => void): void => void res.once('socket', act);

/** Whether a request came with the offer of another protocol. */
const OFFER = Symbol('offer of another protocol');

interface Offering {
  [OFFER]?: boolean | null;
}

/** Whether a request offers another protocol (`Upgrade`), taken or not. */
export const makesOffer = (req: IncomingMessage): boolean => (req as Offering)[OFFER] === true;

/**
 * The class of requests of a server that takes only some offers of another protocol: the others go on as HTTP/1.1, with
 * their bodies. For a server that listens to 'upgrade' Node hands over every request with an offer, without its body; but it asks
 * the `upgrade` of the request, which it set before, once method and headers are there. Of an offer that is not taken, Node
 * still drops what follows the request: the connection has to end after the response.
 */
export function requestWith(takes: (req: IncomingMessage) => boolean): typeof IncomingMessage {
  class Request extends IncomingMessage {
    get upgrade(): boolean {
      return makesOffer(this) && (this.method === 'CONNECT' || takes(this));
    }
    set upgrade(offered: boolean | null) {
      (this as Offering)[OFFER] = offered;
    }
  }
  return Request;
}

/**
 * Takes no new connections and leaves all open ones, as a TCP server does: `close` of an HTTP server also cuts idle
 * ones, even if a request is just arriving.
 */
export const stopAccepting = (server: Server): void => void TcpServer.prototype.close.call(server);

/**
 * Lets V8 collect its old objects when what is left of the last collection has grown by 80 %. Its own factor of up to
 * four made a server of 35 MB of live objects keep 100 MB of garbage after uploads, for as long as it is idle.
 */
export const collectEarlier = (): void => setFlagsFromString('--heap-growing-percent=80');

/** Collects all garbage now, also what only a second collection finds; takes some tens of milliseconds. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
}

/**
 * Makes what a stream writes to non-blocking again: only its handle can (`_handle`), and every process that shares the
 * descriptor makes it blocking. False for streams without such a handle, such as files.
 */
export function keepFromBlocking(stream: object): boolean {
  const { _handle } = stream as { readonly _handle?: { setBlocking?(on: boolean): void } };
  if (_handle?.setBlocking === undefined) return false;
  _handle.setBlocking(false);
  return true;
}

const keptTicks = new Set<object>();

/**
 * Keeps one of the objects that Node creates for calls of `process.nextTick`, and with it their hidden class. V8
 * frees a hidden class without instances after a few garbage collections, as happens in a server that is idle after its
 * start; from then on every call would define the properties of its object with calls into V8's runtime, until the
 * process ends. That makes a request from memory half as expensive again (docs/performance.md).
 */
export function keepTickObject(): void {
  if (keptTicks.size === 0) process.nextTick(() => keptTicks.add(executionAsyncResource()));
}
