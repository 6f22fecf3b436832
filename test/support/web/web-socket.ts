/** A WebSocket client for tests: what it has received so far can be awaited in order. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { TestServer } from '../../harness.js';

export interface Listener {
  readonly socket: WebSocket;
  /** The next message that was not taken yet, parsed; rejects once the connection is closed without one. */
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
  const waiting: { resolve(message: unknown): void; reject(reason: Error): void }[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    const first = waiting.shift();
    if (first === undefined) arrived.push(message);
    else first.resolve(message);
  });
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  closed.catch(() => {});
  let over: Error | null = null;
  socket.once('close', (code, reason) => {
    over = new Error(`closed with ${code} ${reason} before a message came`);
    for (const { reject } of waiting.splice(0)) reject(over);
  });
  await once(socket, 'open');
  return {
    socket,
    closed,
    next: async () => {
      if (arrived.length > 0) return arrived.shift();
      if (over !== null) throw over;
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
      });
    },
    send: (message) => socket.send(JSON.stringify(message)),
  };
}
