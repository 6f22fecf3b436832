import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Context, Services } from '../../routers/context.js';
import type { Config } from '../config/config.js';

/** Why a socket is closed (contract §4): 4001 something is missing, 4003 it is not allowed or over. */
export const MISSING = 4001;
export const REFUSED = 4003;
/** Of the WebSocket protocol: try again later. */
export const BUSY = 1013;

/** A client that waits for messages; what it sends is ignored. */
export interface Connection {
  readonly socket: WebSocket;
  readonly query: URLSearchParams;
  /** Who is calling, looked up again for each context; a key in the query counts like the header. */
  context(): Context;
}

/** Serves one connection until it closes. */
export type Channel = (app: Services, connection: Connection) => Promise<void>;

/**
 * What a connection is made of, but for the socket. Where another site may have made a browser connect, its cookies
 * count for nothing, only the key.
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
  if (!own) delete req.headers.cookie;
  return { query, context: () => contextOf(req) };
}

/** Sends JSON while the socket is open. */
export function send({ socket }: Connection, message: object): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}
