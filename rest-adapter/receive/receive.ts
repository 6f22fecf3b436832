import type { Context as KoaContext } from 'koa';
import type { Context } from '../../routers/context.js';
import { fail } from '../../routers/errors.js';
import { refuseSize } from '../../routers/image/allowance.js';
import { requireEntranceTo } from '../../routers/index.js';
import { fieldsOf } from '../fields.js';
import type { Admit, ProcedurePath, Route } from '../route.js';
import { NOTHING_RECEIVED, type Received, wireOf } from '../wire.js';
import { limitOf, mediaType, readFields, readText, requirePlainBody, unwrapBody } from './body.js';
import { IncomingBody } from './incoming-body.js';
import { incomingPart } from './incoming-part.js';
import { receiveMailBody } from './mail-body.js';
import { MAX_BESIDE_FILE_BYTES, receiveFile, receiveRaw, receiveText, showKey } from './multipart.js';

const MULTIPART = 'multipart/form-data';
/** Types of a body that contains fields and is not a file. */
const FIELD_TYPES = new Set(['', 'application/json', 'application/x-www-form-urlencoded']);

type Reception = Pick<Route, 'body' | 'admit'> &
  Partial<Pick<Route, 'credentials'>> & {
    /** What is called with the body; null if that depends on the body. */
    readonly procedure: ProcedurePath | null;
  };

/** Receives a body as its route requires, until `use` has finished; then its resources are freed. */
export async function receiving<T>(
  route: Reception,
  ctx: Context,
  koa: KoaContext,
  use: (received: Received) => Promise<T>,
): Promise<T> {
  if (route.body === 'none') return use(NOTHING_RECEIVED);
  const incoming = new IncomingBody(ctx, koa.req);
  try {
    const received = await receive(route, incoming, koa);
    try {
      return await use(received);
    } finally {
      await received.file?.blob.discard();
      for (const { upload } of received.parts ?? []) await upload.blob.discard();
    }
  } finally {
    incoming.end();
  }
}

async function receive(
  { body: kind, admit, credentials, procedure }: Reception,
  incoming: IncomingBody,
  koa: KoaContext,
): Promise<Received> {
  requirePlainBody(incoming.req);
  const enter = async (): Promise<void> => {
    if (procedure !== null) await requireEntranceTo(procedure, incoming.ctx);
  };
  await enter();
  if (kind === 'mail') return receiveMailBody(incoming, koa);
  if (kind === 'part') return { ...NOTHING_RECEIVED, part: incomingPart(incoming) };
  if (admit !== null) {
    // Guests may send a file whatever key their client has.
    if (kind === 'file' && credentials?.length !== 0) await refuseUnknown(incoming.ctx);
    // Again, because the fields before a file may contain the key.
    const admitEntrant: Admit = async (ctx, wire) => {
      await enter();
      return admit(ctx, wire);
    };
    const file = await receiveUpload(kind === 'bytes', admitEntrant, incoming, koa);
    if (file !== null) return file;
  }
  if (mediaType(koa.req) === MULTIPART) return receiveText(incoming, koa, kind);
  if (kind === 'document') {
    const content = (await readText(incoming, limitOf(kind))).replace(/^\ufeff/, '');
    return { ...NOTHING_RECEIVED, text: { content, name: null } };
  }
  const fields = await readFields(incoming, limitOf(kind));
  const body = kind === 'text' ? unwrapBody(fields, undefined) : fields;
  showKey(incoming.ctx, body.raw('key'));
  return { body, file: null, text: null };
}

/** Receives a form with a file or, if the `whole` body is the file, a bare file; null for a body with fields only. */
async function receiveUpload(
  whole: boolean,
  admit: Admit,
  incoming: IncomingBody,
  koa: KoaContext,
): Promise<Received | null> {
  const { ctx } = incoming;
  const ask = () => admit(ctx, wireOf(koa.req, koa.params, koa.search, NOTHING_RECEIVED));
  if (whole) return receiveRaw(incoming, null, ask);
  await refuseTooLarge(ctx, koa);
  const type = mediaType(koa.req);
  if (type === MULTIPART) return receiveFile(incoming, koa, ask);
  const name = fieldsOf(koa.search).text('filename') ?? null;
  return name === null && FIELD_TYPES.has(type) ? null : receiveRaw(incoming, name, ask);
}

/** A wrong key or session stays wrong whatever the form contains, so the file need not be received. */
async function refuseUnknown(ctx: Context): Promise<void> {
  if (ctx.credentials.apiKey !== null && (await ctx.caller()) === null) fail('UNAUTHENTICATED');
}

/** Refuses early if an authenticated caller announces a body larger than any allowed form with a file. */
async function refuseTooLarge(ctx: Context, { req }: KoaContext): Promise<void> {
  const { settings } = ctx.app;
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced <= settings.maxUploadBytes + MAX_BESIDE_FILE_BYTES || (await ctx.caller()) === null) return;
  refuseSize(settings);
}
