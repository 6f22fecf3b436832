import type { Context as KoaContext } from 'koa';
import type { Context } from '../routers/context.js';
import { fail } from '../routers/errors.js';
import { refuseSize } from '../routers/image/allowance.js';
import { mediaType, readFields, unwrapBody } from './body.js';
import { fieldsOf } from './fields.js';
import { receiveMailBody } from './mail-body.js';
import { FIELDS_LIMIT, receiveFile, receiveRaw, receiveText, showKey } from './multipart.js';
import type { Admit, Row } from './route.js';
import { NOTHING_RECEIVED, type Received, wireOf } from './wire.js';

const MULTIPART = 'multipart/form-data';
/** Types of a body that is a set of fields and not a file. */
const FIELD_TYPES = new Set(['', 'application/json', 'application/x-www-form-urlencoded']);

/** Receives a body the way its row wants it. Whoever calls discards the staged files when the request is over. */
export async function receive(
  { body: kind, admit }: Pick<Row, 'body' | 'admit'>,
  ctx: Context,
  koa: KoaContext,
): Promise<Received> {
  if (kind === 'none') return NOTHING_RECEIVED;
  if (kind === 'mail') return receiveMailBody(ctx, koa);
  if (admit !== null) {
    const file = await receiveUpload(kind === 'bytes', admit, ctx, koa);
    if (file !== null) return file;
  }
  if (mediaType(koa.req) === MULTIPART) return receiveText(ctx, koa);
  const fields = await readFields(koa.req);
  const body = kind === 'text' ? unwrapBody(fields, undefined) : fields;
  showKey(ctx, body.raw('key'));
  return { body, file: null, text: null };
}

/** Receives a form with a file or, where it is the `whole` body, a bare file; null for a body that is fields alone. */
async function receiveUpload(
  whole: boolean,
  admit: Admit,
  ctx: Context,
  koa: KoaContext,
): Promise<Received | null> {
  const ask = () => admit(ctx, wireOf(koa.req, koa.params, koa.search, NOTHING_RECEIVED));
  if (whole) return receiveRaw(ctx, koa.req, null, ask);
  await refuseUnknown(ctx);
  await refuseTooLarge(ctx, koa);
  const type = mediaType(koa.req);
  if (type === MULTIPART) return receiveFile(ctx, koa, ask);
  const name = fieldsOf(koa.search).text('filename') ?? null;
  return name === null && FIELD_TYPES.has(type) ? null : receiveRaw(ctx, koa.req, name, ask);
}

/** A key or session that is wrong stays wrong whatever the form says, so the file need not be received. */
async function refuseUnknown(ctx: Context): Promise<void> {
  if (ctx.credentials.apiKey !== null && (await ctx.caller()) === null) fail('UNAUTHENTICATED');
}

/** A body of a known sender that says it is larger than any form with a file may be need not arrive. */
async function refuseTooLarge(ctx: Context, { req }: KoaContext): Promise<void> {
  const { settings } = ctx.app;
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced <= settings.maxUploadBytes + FIELDS_LIMIT || (await ctx.caller()) === null) return;
  refuseSize(settings);
}
