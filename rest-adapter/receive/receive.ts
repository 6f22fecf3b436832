import type { IncomingMessage } from 'node:http';
import type { Context as KoaContext } from 'koa';
import { DomainError, fail } from '../../routers/base/errors.js';
import { dispositionName } from '../../routers/base/text/header-names.js';
import type { Context } from '../../routers/core/context.js';
import { refuseSize } from '../../routers/features/image/allowance.js';
import { requireEntranceTo } from '../../routers/index.js';
import type { Admit, BodyKind, ProcedurePath, Route } from '../route.js';
import { NOTHING_RECEIVED, type Received, wireOf } from '../wire.js';
import { limitOf, mediaType, readFields, readForm, readText, requirePlainBody, unwrapBody } from './body.js';
import { fieldsOf } from './encoded.js';
import { receiveFiles } from './files.js';
import { IncomingBody } from './incoming-body.js';
import { incomingPart } from './incoming-part.js';
import { receiveMailBody } from './mail-body.js';
import { MAX_BESIDE_FILE_BYTES, receiveFile, receiveRaw, receiveText, showKey } from './multipart.js';

const MULTIPART = 'multipart/form-data';
/** Types of a body with fields, at every route. */
const FIELD_TYPES = new Set(['application/json', 'application/x-www-form-urlencoded']);

const SEVERAL: ReadonlySet<BodyKind> = new Set(['files', 'source']);
/** Fields that hold a file, base64 or an address. */
const SOURCE = /^(?:image|source)$/i;

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
    if (kind !== 'bytes' && credentials?.length !== 0) await refuseUnknown(incoming.ctx);
    // Again, because the fields before a file may contain the key.
    const admitEntrant: Admit = async (ctx, wire) => {
      await enter();
      return admit(ctx, wire);
    };
    const file = await receiveUpload(kind, admitEntrant, incoming, koa);
    if (file !== null) return file;
    if (!SEVERAL.has(kind) && FIELD_TYPES.has(mediaType(koa.req)))
      return receiveForm(incoming, credentials?.length !== 0);
  }
  if (kind === 'json')
    return { ...NOTHING_RECEIVED, text: { content: await readText(incoming, limitOf(kind)), name: null } };
  if (kind !== 'plain' && mediaType(koa.req) === MULTIPART) return receiveText(incoming, koa, kind);
  if (kind === 'document' || kind === 'plain') {
    const content = (await readText(incoming, limitOf(kind))).replace(/^\ufeff/, '');
    return { ...NOTHING_RECEIVED, text: { content, name: null } };
  }
  const fields = await readFields(incoming, limitOf(kind));
  const body = kind === 'text' ? unwrapBody(fields, undefined) : fields;
  showKey(incoming.ctx, body.raw('key'));
  return { body, file: null, text: null };
}

/** Receives a form with files or, for `bytes` and mostly for `file`, a bare file; null for a body with fields only. */
async function receiveUpload(
  kind: BodyKind,
  admit: Admit,
  incoming: IncomingBody,
  koa: KoaContext,
): Promise<Received | null> {
  const { ctx } = incoming;
  const ask = () => admit(ctx, wireOf(koa.req, koa.params, koa.search, NOTHING_RECEIVED));
  if (kind === 'bytes') return receiveRaw(incoming, null, ask);
  await refuseTooLarge(ctx, koa);
  const type = mediaType(koa.req);
  if (SEVERAL.has(kind))
    return type === MULTIPART
      ? receiveFiles(incoming, koa, ask, kind === 'source' ? SOURCE : undefined)
      : null;
  if (type === MULTIPART) return receiveFile(incoming, koa, ask);
  const name =
    fieldsOf(koa.search).text('filename') ?? dispositionName(koa.req.headers['content-disposition']);
  return name === null && isOfFields(type, koa.req) ? null : receiveRaw(incoming, name, ask);
}

/** Whether a body without the name of a file has fields. One without a type is the file, as `curl -T` and streams send it. */
function isOfFields(type: string, { headers }: IncomingMessage): boolean {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  return isEmpty || FIELD_TYPES.has(type);
}

/** Receives fields without a file; 415 for a file that has their type, as `curl --data-binary` sends it. */
async function receiveForm(incoming: IncomingBody, needsCaller: boolean): Promise<Received> {
  const isKnown = async () => (await incoming.ctx.caller()) !== null;
  const body = await readForm(incoming, limitOf('file')).catch(async (error: unknown) => {
    if (error instanceof DomainError && error.reason === 'TOO_LARGE' && (await isKnown())) return null;
    throw error;
  });
  if (body !== null) {
    showKey(incoming.ctx, body.raw('key'));
    return { body, file: null, text: null };
  }
  if (needsCaller && !(await isKnown())) fail('UNAUTHENTICATED');
  fail(
    'UPLOAD_TYPE',
    'Send the file in the form field "file", or as the body with its own Content-Type or with ?filename=',
  );
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
