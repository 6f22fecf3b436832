/** A WebSocket client for tests: what it has received so far can be awaited in order. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { TestServer } from '../../harness.js';

export interface Listener {
  readonly socket: WebSocket;
  /** The next message that was not taken yet, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: messages have every shape
  next(): Promise<any>;
  /** How the server closed the connection. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(message: object): void;
}

/** Connects to a WebSocket of the server; rejects if the server refuses the upgrade. */
export async function listenTo(
  server: Pick<TestServer, 'origin'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<Listener> {
  const address = server.origin.replace('http', 'ws').replace('localhost', '127.0.0.1');
  const socket = new WebSocket(`${address}${path}`, { headers });
  const arrived: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    const first = waiting.shift();
    if (first === undefined) arrived.push(message);
    else first(message);
  });
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  closed.catch(() => {});
  await once(socket, 'open');
  return {
    socket,
    closed,
    next: () =>
      arrived.length > 0
        ? Promise.resolve(arrived.shift())
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
    send: (message) => socket.send(JSON.stringify(message)),
  };
}
