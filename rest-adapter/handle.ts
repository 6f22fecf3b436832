import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Context as KoaContext } from 'koa';
import type { Context } from '../routers/core/context.js';
import { callProcedure } from '../routers/index.js';
import { applyCookies, type CookieSettings } from './cookies.js';
import { receiving } from './receive/receive.js';
import { writeBase64, writeBytes } from './reply/bytes.js';
import { writeLines } from './reply/lines.js';
import { isLong } from './reply/long.js';
import type { Reply } from './reply/reply.js';
import { isKept, writeLongMessage, writeSimple } from './reply/write.js';
import { writeZip } from './reply/zip.js';
import type { Route } from './route.js';
import { type Wire, wireOf } from './wire.js';

/** Sends a temporary file as a download; whoever made it removes it once the response is over. */
async function writeTemporary(
  res: ServerResponse,
  { path, size, mimeType, filename, headers }: Extract<Reply, { as: 'file' }>,
): Promise<void> {
  const file = createReadStream(path);
  res.writeHead(200, {
    'content-type': mimeType,
    'content-length': String(size),
    'content-disposition': `attachment; filename="${filename}"`,
    'cache-control': 'no-store',
    ...headers,
  });
  // A client that leaves ends the response; there is nobody to tell.
  await pipeline(file, res).catch(() => res.destroy());
}

/** Handles one request of a route: receive, read, call, reply. The caller turns errors into responses. */
export function handle(route: Route, ctx: Context, koa: KoaContext, cookies: CookieSettings): Promise<void> {
  return receiving(route, ctx, koa, async (received) => {
    const wire = wireOf(koa.req, koa.params, koa.search, received);
    const output = await callWithCookies(route, ctx, koa, cookies, wire);
    await write(ctx, koa.res, route.reply(output as never, wire), wire);
  });
}

/** Calls a route's procedure. Its cookies are sent with a refusal, too: a pending account gets one that way. */
async function callWithCookies(
  route: Route,
  ctx: Context,
  koa: KoaContext,
  cookies: CookieSettings,
  wire: Wire,
): Promise<unknown> {
  try {
    return await callProcedure(ctx, route.procedure, route.read(wire));
  } finally {
    applyCookies(koa.res, ctx.outgoingCookies, cookies);
  }
}

/** Sends a reply of any kind; `vary` is added to its `Vary` header. */
export async function write(
  ctx: Context,
  res: ServerResponse,
  reply: Reply,
  wire: Wire,
  vary: string | null = null,
): Promise<void> {
  if (reply.as === 'bytes')
    return writeBytes(ctx.app, res, reply.content, wire.params.uniqueId ?? null, reply.headers, vary);
  if (reply.as === 'message' && !isKept(reply) && (isLong(reply.message) || isLong(reply.extra)))
    return writeLongMessage(res, reply, vary);
  if (reply.as !== 'base64' && reply.as !== 'zip' && reply.as !== 'file' && reply.as !== 'lines')
    return writeSimple(res, reply, vary);
  if (vary !== null) res.setHeader('vary', vary);
  if (reply.as === 'file') return writeTemporary(res, reply);
  const isHead = wire.method === 'HEAD';
  if (reply.as === 'lines') return writeLines(ctx, res, reply.lines, isHead);
  if (reply.as === 'base64') await writeBase64(ctx.app, res, reply, isHead);
  else await writeZip(ctx.app, res, reply.listing, isHead);
}
