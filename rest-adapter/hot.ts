import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../routers/context.js';
import { isOurFault, writeFailure } from './failure.js';
import { write } from './handle.js';
import type { Row } from './route.js';
import { NOTHING_RECEIVED, wireOf } from './wire.js';

/** What the hot lane needs from the server around it. */
export interface HotOptions {
  contextOf(req: IncomingMessage): Context;
  /** What every answer varies by; null for nothing. */
  readonly vary: string | null;
  onError(error: unknown, req: IncomingMessage): void;
}

/** Takes a request when a hot row has it; false leaves it to the router. */
export type HotLane = (req: IncomingMessage, res: ServerResponse) => boolean;

/** An id that needs no decoding and no validation by a schema: what the schema accepts, and no more. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Serves GET without a query on the rows marked `hot` ahead of the router, with the procedure's own domain
 * function instead of a call through the schema: the row's reading is typed, and the only free text that
 * reaches the input unread, the id, is checked here. Everything else is left to the router (docs/adr/0001).
 */
export function createHotLane(rows: readonly Row[], prefix: string, options: HotOptions): HotLane {
  const lanes = rows
    .filter((row) => row.hot !== null && row.method === 'GET' && row.path.endsWith('/{uniqueId}'))
    .map((row) => ({ row, start: `${prefix}${row.path.slice(0, -'{uniqueId}'.length)}` }));

  return (req, res) => {
    if (req.method !== 'GET') return false;
    const url = req.url ?? '';
    // The start of one row may be the start of another's, too; with a plain id behind it a path has one row only.
    const lane = lanes.find(({ start }) => url.startsWith(start) && PLAIN_ID.test(url.slice(start.length)));
    if (lane === undefined) return false;
    void serve(lane.row, url.slice(lane.start.length), req, res, options);
    return true;
  };
}

async function serve(
  row: Row,
  uniqueId: string,
  req: IncomingMessage,
  res: ServerResponse,
  options: HotOptions,
): Promise<void> {
  const ctx = options.contextOf(req);
  const wire = wireOf(req, { uniqueId }, '', NOTHING_RECEIVED);
  try {
    const output = await row.hot?.(ctx, row.read(wire) as never);
    const reply = row.reply(output as never, wire);
    await write(ctx, res, reply, wire, options.vary);
  } catch (error) {
    if (options.vary !== null && !res.headersSent) res.setHeader('vary', options.vary);
    if (isOurFault(error)) options.onError(error, req);
    writeFailure(res, error, uniqueId);
  }
}
