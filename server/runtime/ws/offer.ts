import type { IncomingMessage } from 'node:http';

/** Where WebSockets are served, at the host root. */
const CHANNEL_PATHS = ['/ws/email', '/ws/verify', '/ws/active', '/ws/wall'] as const;
export type ChannelPath = (typeof CHANNEL_PATHS)[number];

const WEBSOCKET = /(?:^|,)\s*websocket\s*(?:,|$)/i;

/** The channel that a request names, or null. */
export function channelPathOf({ url = '' }: IncomingMessage): ChannelPath | null {
  const path = url.split('?', 1)[0]?.replace(/\/$/, '');
  return CHANNEL_PATHS.find((known) => known === path) ?? null;
}

/** Whether a request that offers another protocol asks for a WebSocket of ours; all other offers are ignored. */
export const opensSocket = (req: IncomingMessage): boolean =>
  req.method === 'GET' && WEBSOCKET.test(req.headers.upgrade ?? '') && channelPathOf(req) !== null;
