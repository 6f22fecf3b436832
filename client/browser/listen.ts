const SOON_MS = 5_000;
/** Longest retry delay while the server does not respond. */
const SELDOM_MS = 60_000;

/** How a socket is listened to. */
interface Listening {
  readonly onEvent: (event: Record<string, unknown>) => void;
  /** The connection is there again, after events that nobody heard. */
  readonly onReturn?: () => void;
}

/** Listens to a WebSocket of this server, which is connected again when it drops, unless it was refused. */
export function listen(path: string, { onEvent, onReturn }: Listening, wait = SOON_MS, again = false): void {
  const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + path);
  let next = Math.min(2 * wait, SELDOM_MS);
  socket.addEventListener('open', () => {
    wait = next = SOON_MS;
    if (again) onReturn?.();
  });
  socket.addEventListener('message', (message) => {
    const event = parse(String(message.data));
    if (event && event.type !== 'channel_ready') onEvent(event);
  });
  socket.addEventListener('close', (event) => {
    const refused = event.code >= 4000;
    if (!refused)
      setTimeout(() => listen(path, { onEvent, ...(onReturn && { onReturn }) }, next, true), wait);
  });
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}
