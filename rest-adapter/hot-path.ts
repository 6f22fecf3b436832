import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../routers/core/context.js';
import { ID_PATTERN } from '../routers/core/items/ids.js';
import { requireScopeIfKeyed } from '../routers/core/scopes.js';
import { type PlainProcedure, plainProcedure } from '../routers/index.js';
import { isOurFault, writeFailure } from './failure.js';
import { write } from './handle.js';
import type { Route } from './route.js';
import { NOTHING_RECEIVED, wireOf } from './wire.js';

/** What the hot path needs from the server. */
interface HotPathOptions {
  contextOf(req: IncomingMessage): Context;
  /** The `Vary` header of every response; null for none. */
  vary(): string | null;
  onError(error: unknown, req: IncomingMessage): void;
}

/** Handles a request if a hot route matches, and resolves when it is done; null leaves it to the router. */
type HotPath = (req: IncomingMessage, res: ServerResponse) => Promise<void> | null;

/** An id, or the name of a file, that needs neither decoding nor schema validation: the schema accepts all of them. */
const PLAIN_ID = new RegExp(`^${ID_PATTERN}(?:\\.[A-Za-z0-9]{1,10})?$`);

/**
 * Serves GET without a query on the routes marked `hot` before the router, calling the procedure's own
 * function instead of going through the schema. This is safe because the route's reading is typed and the
 * id, the only unvalidated text, is checked here. Everything else is left to the router (docs/adr/0001).
 */
export function createHotPath(routes: readonly Route[], prefix: string, options: HotPathOptions): HotPath {
  const starts = routes
    .filter((route) => route.hot && route.method === 'GET' && route.path.endsWith('/{uniqueId}'))
    .map((route) => ({
      route,
      ...plainProcedure(route.procedure),
      start: `${prefix}${route.path.slice(0, -'{uniqueId}'.length)}`,
    }));

  return (req, res) => {
    if (req.method !== 'GET') return null;
    const url = req.url ?? '';
    // The prefix of one route may also start another's path, but a path that ends with a plain id has only
    // one route.
    const match = starts.find(({ start }) => url.startsWith(start) && PLAIN_ID.test(url.slice(start.length)));
    if (match === undefined) return null;
    return serve(match, url.slice(match.start.length), req, res, options);
  };
}

async function serve(
  { route, needs, resolve }: PlainProcedure & { readonly route: Route },
  uniqueId: string,
  req: IncomingMessage,
  res: ServerResponse,
  options: HotPathOptions,
): Promise<void> {
  const ctx = options.contextOf(req);
  const wire = wireOf(req, { uniqueId }, '', NOTHING_RECEIVED);
  try {
    await requireScopeIfKeyed(ctx, needs);
    const output = await resolve({ ctx, input: route.read(wire) });
    const reply = route.reply(output as never, wire);
    await write(ctx, res, reply, wire, options.vary());
  } catch (error) {
    const vary = options.vary();
    if (vary !== null && !res.headersSent) res.setHeader('vary', vary);
    if (isOurFault(error)) options.onError(error, req);
    writeFailure(res, error, uniqueId, route.shown);
  }
}
