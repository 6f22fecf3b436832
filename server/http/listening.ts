import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, type ListenOptions, Server as TcpServer } from 'node:net';
import { promisify } from 'node:util';
import { type Config, ConfigError } from '../config/config.js';
import { closeSilent } from './silent-connections.js';

/** Requests that are still running this long after the drain began are cut, so that the exit keeps its promise. */
const DRAIN_MS = 25_000;
/** How long an idle connection is kept by a process that ends, in milliseconds; 0 would be for ever. */
const AT_ONCE_MS = 1;
/** The same by one that is being replaced, for one more request. */
const LAST_REQUEST_MS = 5_000;

/** Throws if the port cannot be used now. If another process takes it afterwards, `listen` fails. */
export async function tryPort({ port, host }: Config): Promise<void> {
  const probe = createServer();
  // `exclusive`: tested by this process itself, even if workers share the port of their supervisor.
  await listen(probe, { port, host, exclusive: true });
  await promisify(probe.close.bind(probe))();
}

/** Listens. Throws a `ConfigError` with advice if that fails. */
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
/** Advice for the reasons why a server cannot listen. */
const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Set PORT to another one.',
  EACCES: 'ports below 1024 need elevated rights. Set PORT to a higher one.',
  EADDRNOTAVAIL: WRONG_HOST,
  ENOTFOUND: WRONG_HOST,
  EAI_AGAIN: WRONG_HOST,
};

/** Takes no more connections, and resolves when those that are there have ended with the request they have. */
export const drain = (server: Server): Promise<void> => end(server, AT_ONCE_MS);

/** As `drain`, but connections that are idle now, or will be, may bring one more request for a while. */
export const retire = (server: Server): Promise<void> => end(server, LAST_REQUEST_MS);

/**
 * Stops listening, and resolves once the last connection is gone. Every one ends with the request that it has or brings
 * next, or `keepMs` after an answer that had promised to keep it.
 */
async function end(server: Server, keepMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.once('close', resolve));
  server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
    res.shouldKeepAlive = false;
  });
  server.keepAliveTimeout = keepMs;
  // An HTTP server's own `close` cuts idle connections, perhaps just when a request is on its way. One that has come is read
  // between timers and `setImmediate`.
  TcpServer.prototype.close.call(server);
  const idle = setTimeout(
    () =>
      setImmediate(() => {
        server.closeIdleConnections();
        closeSilent(server);
      }),
    keepMs,
  );
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(idle);
  clearTimeout(cut);
}
