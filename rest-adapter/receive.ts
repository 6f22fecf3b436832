import type { Context as KoaContext } from 'koa';
import type { Context } from '../routers/context.js';
import { fail } from '../routers/errors.js';
import { mediaType, readFields, unwrapBody } from './body.js';
import { fieldsOf } from './fields.js';
import { receiveMailBody } from './mail-body.js';
import { FIELDS_LIMIT, receiveFile, receiveRaw, receiveText } from './multipart.js';
import type { BodyKind } from './route.js';
import { NOTHING_RECEIVED, type Received } from './wire.js';

const MULTIPART = 'multipart/form-data';
/** Types of a body that is a set of fields and not a file. */
const FIELD_TYPES = new Set(['', 'application/json', 'application/x-www-form-urlencoded']);

/** Receives a body the way its row wants it. Whoever calls discards the staged files when the request is over. */
export async function receive(kind: BodyKind, ctx: Context, koa: KoaContext): Promise<Received> {
  if (kind === 'none') return NOTHING_RECEIVED;
  if (kind === 'mail') return receiveMailBody(ctx, koa);
  const type = mediaType(koa.req);
  if (kind === 'file') {
    await refuseUnknown(ctx);
    await refuseTooLarge(ctx, koa);
    if (type === MULTIPART) return receiveFile(ctx, koa);
    const name = fieldsOf(koa.search).text('filename') ?? null;
    if (name !== null || !FIELD_TYPES.has(type)) return receiveRaw(ctx, koa.req, name);
  }
  if (type === MULTIPART) return receiveText(ctx, koa);
  const fields = await readFields(koa.req);
  const body = kind === 'text' ? unwrapBody(fields, undefined) : fields;
  const key = body.raw('key');
  if (typeof key === 'string') ctx.credentials.formKey = key;
  return { body, file: null, text: null };
}

/** A key or session that is wrong stays wrong whatever the form says, so the file need not be received. */
async function refuseUnknown(ctx: Context): Promise<void> {
  if (ctx.credentials.apiKey !== null && (await ctx.caller()) === null) fail('UNAUTHENTICATED');
}

/** A body of a known sender that says it is larger than any form with a file may be need not arrive. */
async function refuseTooLarge(ctx: Context, { req }: KoaContext): Promise<void> {
  const { maxUploadBytes } = ctx.app.settings;
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced <= maxUploadBytes + FIELDS_LIMIT || (await ctx.caller()) === null) return;
  fail('TOO_LARGE', `A file has at most ${maxUploadBytes} bytes`);
}
