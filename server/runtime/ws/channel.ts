import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Context, Services } from '../../../routers/core/context.js';
import type { Config } from '../config/config.js';
import { hasBasic } from '../http/csrf.js';

/** Close codes of a socket (contract §4): 4001 for a missing parameter, 4003 if access is denied or has ended. */
export const MISSING = 4001;
export const REFUSED = 4003;
/** Standard WebSocket close code: try again later. */
export const BUSY = 1013;

/** A client that waits for messages; anything it sends is ignored. */
export interface Connection {
  readonly socket: WebSocket;
  readonly query: URLSearchParams;
  /** The caller, looked up again for each context; a key in the query counts like the header. */
  context(): Context;
}

/** Serves one connection until it closes. */
export type Channel = (app: Services, connection: Connection) => Promise<void>;

/**
 * The parts of a connection except for the socket. If the origin may be another site, what its browser adds by itself is
 * ignored: that site would read what it opens.
 */
export function readConnection(
  req: IncomingMessage,
  query: URLSearchParams,
  config: Pick<Config, 'origin' | 'corsOrigins'>,
  contextOf: (req: IncomingMessage) => Context,
): Omit<Connection, 'socket'> {
  const key = query.get('apiKey') ?? '';
  if (key !== '') req.headers['x-api-key'] = key;
  const { origin } = req.headers;
  const own = origin === undefined || origin === config.origin || config.corsOrigins.includes(origin);
  if (!own) {
    delete req.headers.cookie;
    if (hasBasic(req)) delete req.headers.authorization;
  }
  return { query, context: () => contextOf(req) };
}

/** Sends JSON while the socket is open. */
export function send({ socket }: Connection, message: object): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}
