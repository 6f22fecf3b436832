import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, isIPv6, type ListenOptions, type Server as TcpServer } from 'node:net';
import { promisify } from 'node:util';
import { ConfigError } from '../../shared/config-error.js';
import type { Config } from '../config/config.js';
import { stopAccepting } from './node-internals.js';
import { closeUnused } from './unused-connections.js';

/** Requests that still run this long after the drain started are cut, so that the exit is on time. */
const DRAIN_MS = 20_000;
/** How long idle connections are kept during a drain, in milliseconds; 0 would mean forever. */
const AT_ONCE_MS = 1;
/** The same when the process is being replaced, to allow one more request. */
const LAST_REQUEST_MS = 5_000;

/** Throws if the port cannot be used now. If another process takes it later, `listen` fails. */
export async function tryPort({ port, host }: Config): Promise<void> {
  const probe = createServer();
  // `exclusive`: tests the port in this process even if workers share the port of their supervisor.
  await listen(probe, { port, host, exclusive: true });
  await promisify(probe.close.bind(probe))();
}

/** The URL of a listening server. */
export const addressOf = (host: string, port: number): string =>
  `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** Starts listening. Throws a `ConfigError` with advice if that fails. */
export function listen(server: TcpServer, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const advice = LISTEN_ADVICE[error.code ?? ''];
      reject(
        advice === undefined ? error : new ConfigError(`Holdall cannot start: ${advice}`, { cause: error }),
      );
    };
    server.once('error', refuse);
    server.listen(where, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

const WRONG_HOST =
  'HOST is not an address of this machine. Set it to one of them, or to 0.0.0.0 for all addresses.';
/** Advice for each reason why a server cannot listen. */
const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Set PORT to another one.',
  EACCES: 'ports below 1024 need elevated rights. Set PORT to a higher one.',
  EADDRNOTAVAIL: WRONG_HOST,
  ENOTFOUND: WRONG_HOST,
  EAI_AGAIN: WRONG_HOST,
};

/** Takes no new connections. Resolves when the open ones have finished their current request. */
export const drain = (server: Server): Promise<void> => end(server, AT_ONCE_MS);

/** Like `drain`, but idle connections may send one more request for a short time. */
export const retire = (server: Server): Promise<void> => end(server, LAST_REQUEST_MS);

/**
 * Stops listening. Resolves once the last connection is closed: after its current or next request, or `keepMs` after
 * a response that promised keep-alive.
 */
async function end(server: Server, keepMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
    res.shouldKeepAlive = false;
  });
  server.keepAliveTimeout = keepMs;
  stopAccepting(server);
  // Between timers and `setImmediate`, requests that have arrived are read.
  const idle = setTimeout(
    () =>
      setImmediate(() => {
        server.closeIdleConnections();
        closeUnused(server);
      }),
    keepMs,
  );
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(idle);
  clearTimeout(cut);
}
