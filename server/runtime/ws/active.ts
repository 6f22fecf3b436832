import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  insertLiveSession,
  type LiveSession,
  movePage,
  removeLiveSessions,
  touchLiveSessions,
  wasClosed,
} from '../../../db/account/live-session.js';
import { liveTopic } from '../../../routers/base/ports/hub.js';
import type { Context, Services } from '../../../routers/core/context.js';
import { LIVE_FOR_MS } from '../../../routers/features/live/index.js';
import { type Channel, type Connection, send } from './channel.js';

const REPORT_MS = 30_000;
/** How long a visitor whose page was closed is refused. */
const REFUSED_MS = 60_000;
/** Minimum time between two records of the page that a connection shows. */
const PAGE_MS = 1_000;
const MAX_TEXT = 500;
/** Close codes: by an administrator, and with the end of the session. */
const CLOSED = 4000;
const LOGGED_OUT = 4001;

const pageUpdate = z.object({ type: z.literal('pageUpdate'), page: z.string() });

/** What a visitor is recognised by: the session, or without one the network and the browser. */
function visitorOf(context: Context, sessionId: number | null): string {
  if (sessionId !== null) return `session:${sessionId}`;
  const seen = `${context.network()} ${context.userAgent ?? ''}`;
  return `network:${createHash('sha256').update(seen).digest('hex').slice(0, 32)}`;
}

/** `/ws/active?page=`: the open pages of a separate front end, which administrators see and send messages to. */
interface ActiveChannel {
  readonly channel: Channel;
  /** Whether this visitor's page was closed by an administrator within the last minute. */
  isRefused(context: Context): Promise<boolean>;
  close(): void;
}

/** Opens the channel; its timer runs while a page is connected. */
export function createActiveChannel(app: Services): ActiveChannel {
  const here = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closing = false;

  const warn = (error: unknown) => app.log.warn({ err: error }, 'an open page could not be recorded');
  const report = (): void => {
    if (here.size === 0) return;
    app.db.write((trx) => touchLiveSessions(app.db, trx, [...here], Date.now())).catch(warn);
  };

  const isClosed = (visitor: string): Promise<boolean> =>
    wasClosed(app.db.read, visitor, Date.now() - REFUSED_MS);

  /** Once the server shuts down, all pages are removed together, before the database is closed. */
  const leave = async (id: string): Promise<void> => {
    if (!closing) await app.db.write((trx) => removeLiveSessions(app.db, trx, [id]));
  };

  const channel: Channel = async (_, connection) => {
    const { socket, query } = connection;
    // A page says where it is as soon as it is open, before anything is known of it.
    const pages = followPages(app, warn);
    socket.on('message', (data, binary) => {
      if (!binary) pages.read(String(data));
    });
    const live = await describe(connection, query.get('page') ?? '');
    if (socket.readyState !== socket.OPEN) return;
    here.add(live.id);
    timer ??= setInterval(report, REPORT_MS).unref();
    const unsubscribe = app.hub.subscribe(liveTopic(live.id), (message) => deliver(connection, message));
    const record = async (): Promise<void> => {
      await app.db.write((trx) => insertLiveSession(trx, live, live.connectedAt - LIVE_FOR_MS));
      if (socket.readyState !== socket.OPEN) return;
      pages.begin(live.id);
      // A page of this visitor may have been closed since the upgrade was let in, when this one was listed nowhere.
      if (await isClosed(live.visitor)) deliver(connection, { type: 'close' });
    };
    const recorded = record().catch(warn);
    socket.once('close', () => {
      here.delete(live.id);
      unsubscribe();
      pages.stop();
      void recorded.then(() => leave(live.id)).catch(warn);
    });
  };

  return {
    channel,
    isRefused: async (context) => isClosed(visitorOf(context, (await context.caller())?.sessionId ?? null)),
    close: () => {
      closing = true;
      clearInterval(timer);
      if (here.size === 0) return;
      app.db.write((trx) => removeLiveSessions(app.db, trx, [...here])).catch(warn);
    },
  };
}

async function describe({ context }: Connection, page: string): Promise<LiveSession> {
  const asked = context();
  const caller = await asked.caller();
  const sessionId = caller?.sessionId ?? null;
  return {
    id: randomUUID(),
    userId: sessionId === null ? null : (caller?.id ?? null),
    sessionId,
    visitor: visitorOf(asked, sessionId),
    userAgent: (asked.userAgent ?? '').slice(0, MAX_TEXT),
    ipAddress: asked.address,
    page: page.slice(0, MAX_TEXT),
    connectedAt: Date.now(),
  };
}

/** Sends what an administrator asked for; `logout` and `close` also end the connection. */
function deliver(connection: Connection, message: Readonly<Record<string, string | number>>): void {
  send(connection, message);
  if (message.type === 'logout') connection.socket.close(LOGGED_OUT, 'logged out by an administrator');
  if (message.type === 'close') connection.socket.close(CLOSED, 'closed by an administrator');
}

/** Records the page that a connection shows, at most once a second, the newest one; once its session is recorded. */
function followPages(app: Services, warn: (error: unknown) => void) {
  let recorded: string | null = null;
  let newest: string | null = null;
  let waiting: NodeJS.Timeout | undefined;
  const record = (): void => {
    waiting = undefined;
    const [id, page] = [recorded, newest];
    if (id === null || page === null) return;
    newest = null;
    waiting = setTimeout(record, PAGE_MS).unref();
    app.db.write((trx) => movePage(trx, id, page)).catch(warn);
  };
  return {
    read: (text: string) => {
      const update = pageUpdate.safeParse(parse(text));
      if (!update.success) return;
      newest = update.data.page.slice(0, MAX_TEXT);
      if (waiting === undefined) record();
    },
    begin: (id: string) => {
      recorded = id;
      record();
    },
    stop: () => {
      recorded = null;
      clearTimeout(waiting);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
