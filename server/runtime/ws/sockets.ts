import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { verifiedTopic } from '../../../routers/base/ports/hub.js';
import type { Services } from '../../../routers/core/context.js';
import { openVerification } from '../../../routers/features/messenger/codes.js';
import type { Config } from '../config/config.js';
import type { ContextFactory } from '../http/context.js';
import { createRefusals } from '../http/malformed.js';
import { answerOn } from '../http/node-internals.js';
import { standingHeaders } from '../http/standing-headers.js';
import type { Logger } from '../logger.js';
import { createActiveChannel } from './active.js';
import { type Channel, MISSING, REFUSED, readConnection, send } from './channel.js';
import { createEmailChannel } from './mail.js';
import { type ChannelPath, channelPathOf } from './offer.js';
import { wallChannel } from './wall.js';

/** `/ws/verify?telCode=`: tells a waiting page that the account was verified, by messenger or by the mailed code. */
const verifyChannel: Channel = async (app, connection) => {
  const { socket, query } = connection;
  const code = query.get('telCode') ?? '';
  if (code === '') return socket.close(MISSING, 'telCode is missing');
  const verification = await openVerification(app, code);
  if (verification === null) return socket.close(REFUSED, 'the code is wrong or has expired');
  // A socket that has already closed would never trigger the cleanup below.
  if (socket.readyState !== socket.OPEN) return;
  const { userId, until } = verification;
  send(connection, { type: 'channel_ready' });
  const tell = () => {
    unsubscribe();
    const { frontendUrl, origin } = app.settings;
    send(connection, { type: 'verified', redirect: `${frontendUrl ?? `${origin}/web`}/login` });
    socket.close(1000);
  };
  const unsubscribe = app.hub.subscribe(verifiedTopic(userId), tell);
  const timer = setTimeout(() => socket.close(REFUSED, 'the code has expired'), until - Date.now());
  socket.once('close', () => {
    unsubscribe();
    clearTimeout(timer);
  });
  // The account may have been verified before we subscribed.
  const now = (await app.load.user(userId))?.status ?? 'PENDING';
  if (now !== 'PENDING' && socket.readyState === socket.OPEN) tell();
};

const MAX_SOCKETS = 10_000;
/** The limit per address or /64: enough for an office, too few for one client to lock out everybody else. */
const MAX_PER_NETWORK = 500;
/** Clients have nothing to send. */
const MAX_MESSAGE_BYTES = 4 * 1024;
const HEARTBEAT_MS = 30_000;
/** How long clients may take to close the connection. */
const LINGER_MS = 1_000;

interface Sockets {
  /** Accepts no more sockets and closes all of them; the server can close once they are gone. */
  close(): void;
}

/** Serves WebSockets at the host root. The library is loaded for the first one. */
export function openSockets(
  server: Server,
  app: Services,
  config: Pick<Config, 'origin' | 'corsOrigins' | 'hstsSubdomains'>,
  contextOf: ContextFactory,
  log: Logger,
): Sockets {
  const active = createActiveChannel(app);
  const channels: Readonly<Record<ChannelPath, Channel>> = {
    '/ws/email': createEmailChannel(app),
    '/ws/verify': verifyChannel,
    '/ws/active': active.channel,
    '/ws/wall': wallChannel,
  };
  const { refuseOn } = createRefusals(standingHeaders(config));
  let opened: WebSocketServer | null = null;
  let heartbeat: NodeJS.Timeout | null = null;
  let closing = false;
  const held = new Map<string, number>();
  const count = (network: string, change: 1 | -1): void => {
    const sockets = (held.get(network) ?? 0) + change;
    if (sockets === 0) held.delete(network);
    else held.set(network, sockets);
  };

  async function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const path = channelPathOf(req);
    // An earlier request on this connection is still being answered; the pipelined one is not served.
    if (path === null || answerOn(socket) !== null) return void socket.destroy();
    const channel = channels[path];
    const search = (req.url ?? '').split('?', 2)[1] ?? '';
    const { WebSocketServer } = await import('ws');
    opened ??= new WebSocketServer({
      noServer: true,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    if (closing || opened.clients.size >= MAX_SOCKETS) return refuseOn(socket, 503, 'Too many connections');
    const network = contextOf(req).network();
    if ((held.get(network) ?? 0) >= MAX_PER_NETWORK)
      return refuseOn(socket, 503, 'Too many connections from your address');
    heartbeat ??= beat(opened);
    const connection = readConnection(req, new URLSearchParams(search), config, contextOf);
    // A connection that is opened and closed again would be repeated by its page without a pause.
    if (channel === active.channel && (await active.isRefused(connection.context())))
      return refuseOn(socket, 403, 'This page was closed by an administrator');
    opened.handleUpgrade(req, socket, head, (client) => {
      count(network, 1);
      client.once('close', () => count(network, -1));
      client.on('error', () => client.terminate());
      channel(app, { ...connection, socket: client }).catch((error: unknown) => {
        log.error({ err: error, path }, 'a connection failed');
        client.close(1011);
      });
    });
  }

  server.on('upgrade', (req, socket, head) => {
    socket.on('error', () => socket.destroy());
    upgrade(req, socket, head).catch((error: unknown) => {
      log.error({ err: error }, 'a connection could not be opened');
      socket.destroy();
    });
  });

  return {
    close: () => {
      closing = true;
      active.close();
      if (heartbeat !== null) clearInterval(heartbeat);
      for (const client of opened?.clients ?? []) {
        client.close(1001, 'the server is shutting down');
        const farewell = setTimeout(() => client.terminate(), LINGER_MS);
        client.once('close', () => clearTimeout(farewell));
      }
    },
  };
}

/** Terminates connections whose other side no longer responds. */
function beat(sockets: WebSocketServer): NodeJS.Timeout {
  const waiting = new WeakSet<WebSocket>();
  return setInterval(() => {
    for (const client of sockets.clients) {
      if (waiting.has(client)) client.terminate();
      else {
        waiting.add(client);
        client.once('pong', () => waiting.delete(client));
        client.ping();
      }
    }
  }, HEARTBEAT_MS).unref();
}
