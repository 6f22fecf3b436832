import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Lines } from '../../routers/base/lines.js';
import type { Context } from '../../routers/core/context.js';
import { successStart } from './envelope.js';

/** Sends a list as a download while it is made, as fast as the client reads it. A failure closes the connection. */
export async function writeLines(
  ctx: Context,
  res: ServerResponse,
  lines: Lines,
  isHead: boolean,
): Promise<void> {
  const { format, filename, each } = lines;
  res.writeHead(200, {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${filename}"`,
    'cache-control': 'no-store',
  });
  if (isHead) {
    res.end();
    return;
  }
  const chunks = inChunks(ctx, format === 'csv' ? each() : enveloped(each()));
  // A client that leaves ends the response; there is nobody to tell.
  await pipeline(Readable.from(chunks), res).catch(() => res.destroy());
}

/** Enough to be sent at once, in characters. */
const CHUNK_LENGTH = 32 * 1024;

/**
 * Joins texts: each alone would be a write of its own. All downloads of a network together make one chunk at a time,
 * and others take turns between the chunks, however many there are.
 */
async function* inChunks(ctx: Context, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for (let isEnded = false; !isEnded; ) {
      let chunk = '';
      await ctx.app.limits.lines(ctx.network(), async () => {
        while (!isEnded && chunk.length < CHUNK_LENGTH) {
          const { done = false, value } = await texts.next();
          isEnded = done;
          if (!done) chunk += value;
        }
      });
      if (chunk !== '') yield chunk;
      await nextTurn();
    }
  } finally {
    await texts.return(undefined);
  }
}

/** Entries as the message of an envelope. */
async function* enveloped(entries: AsyncGenerator<string>): AsyncGenerator<string> {
  yield `${successStart()}"uniqueId":null,"message":[`;
  let count = 0;
  for await (const entry of entries) {
    yield count === 0 ? entry : `,${entry}`;
    count += 1;
  }
  yield `],"count":${count}}`;
}
