import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import multer from '@koa/multer';
import type { Context as KoaContext, Middleware } from 'koa';
import { DomainError, fail } from '../../routers/base/errors.js';
import { BlobTooLarge, type StagedBlob } from '../../routers/base/ports/storage.js';
import { ABILITIES } from '../../routers/base/roles.js';
import type { Context } from '../../routers/core/context.js';
import { requireCaller } from '../../routers/core/trpc.js';
import type { Allowance } from '../../routers/features/image/allowance.js';
import { StagedUpload } from '../../routers/features/image/upload/staged.js';
import { Fields, NO_FIELDS } from '../fields.js';
import type { BodyKind } from '../route.js';
import type { Received } from '../wire.js';
import { limitOf, unwrapBody } from './body.js';
import { boundedBeside, boundedTo } from './bounded.js';
import type { IncomingBody } from './incoming-body.js';
import { givenName } from './plain-form.js';
import { textOf } from './text-file.js';

/** The part that holds the file. */
const FILE = 'file';

const LIMITS = {
  fields: 64,
  parts: 66,
  // Only one is kept; browsers also send the empty file fields of a form.
  files: 16,
  fieldNameSize: 100,
  // `name[4000000000]` would create a list of that length.
  fieldArrayIndexLimit: 1_000,
  fieldNestingDepth: 4,
  headerPairs: 64,
  fieldSize: 1024 * 1024,
} as const;

/** Maximum total size of the field values beside a file; they are held in memory. */
const FIELDS_BYTES = LIMITS.fieldSize;
/** The same including the multipart overhead. */
export const MAX_BESIDE_FILE_BYTES = FIELDS_BYTES + LIMITS.parts * 1024;

// Without it, UTF-8 file names, which every browser sends, would be garbled.
export const UTF8_NAMES = { defParamCharset: 'utf8' } as const;

/** The result of @koa/multer. */
interface Parsed {
  readonly request: { readonly body?: Record<string, unknown> };
  readonly files?: Record<string, { readonly buffer: Buffer; readonly originalname: string }[]>;
}

/** Returns how large a file may be; called once the fields before the file are known. */
export type Ask = () => Promise<Allowance>;

/** Receives a multipart body whose one file is streamed to the staging area, hashed and counted on the way. */
export async function receiveFile(incoming: IncomingBody, koa: KoaContext, ask: Ask): Promise<Received> {
  const { ctx } = incoming;
  const storage = stagingStorage(incoming, ({ stream, originalname, mimetype }, fields) => {
    showKey(ctx, fields?.key);
    return stage(incoming, stream, originalname, mimetype, ask);
  });
  const bounded = boundedBeside(incoming, {
    file: FILE,
    fieldBytes: FIELDS_BYTES,
    ignoredBytes: ctx.app.settings.maxUploadBytes,
    reading: { fieldBytes: LIMITS.fieldSize, unnamed: 'guess', textFiles: false },
  });
  const options = { storage, limits: LIMITS, fileFilter: onlyFile(incoming), ...bounded, ...UTF8_NAMES };
  const upload = multer(options as multer.Options);
  await runMultipart(incoming, upload.any(), koa);
  const parsed = koa as unknown as Pick<Parsed, 'request'> & { readonly files?: readonly IncomingFile[] };
  const body = bodyOf(parsed);
  showKey(ctx, body.raw('key'));
  return { body, file: parsed.files?.[0]?.upload ?? null, text: null };
}

/**
 * Receives a multipart body of fields, optionally as JSON in the legacy part `body`, and for `text` one text
 * file; 413 if it exceeds the limit of its kind.
 */
export async function receiveText(
  incoming: IncomingBody,
  koa: KoaContext,
  kind: BodyKind,
): Promise<Received> {
  const limit = limitOf(kind);
  const upload = multer({
    storage: multer.memoryStorage(),
    // One text may fill the whole body: the paste procedure itself rejects a text that is too long.
    limits: { ...LIMITS, files: 2, fileSize: limit, fieldSize: limit },
    ...boundedTo(incoming, limit, { fieldBytes: limit, unnamed: 'refuse', textFiles: true }),
    ...UTF8_NAMES,
  } as multer.Options);
  const parts = ['file', 'body', 'text'].map((name) => ({ name, maxCount: 1 }));
  const parsed = await runMultipart(incoming, upload.fields(parts), koa);
  const fields = bodyOf(parsed);
  showKey(incoming.ctx, fields.raw('key'));
  try {
    const body = unwrapBody(fields, textOf(parsed.files?.body?.[0])?.content);
    showKey(incoming.ctx, body.raw('key'));
    if (kind !== 'text' && kind !== 'document') return { body, file: null, text: null };
    return { body, file: null, text: textOf(parsed.files?.file?.[0]) ?? textOf(parsed.files?.text?.[0]) };
  } catch (error) {
    // A caller without the permission to create gets that error, whatever is wrong with the file.
    if (kind === 'text') await requireCaller(incoming.ctx, ABILITIES.create);
    throw error;
  }
}

/** Receives a file that is the whole request body. */
export async function receiveRaw(incoming: IncomingBody, name: string | null, ask: Ask): Promise<Received> {
  const { req } = incoming;
  const file = await stage(incoming, req, name, req.headers['content-type'] ?? null, ask);
  return { body: NO_FIELDS, file, text: null };
}

/** Multer option that accepts the one file and ignores parts of other names, like unknown fields. */
function onlyFile(incoming: IncomingBody) {
  let seen = false;
  return (
    _req: unknown,
    { fieldname }: Pick<IncomingFile, 'fieldname'>,
    done: (error: Error | null, taken: boolean) => void,
  ) => {
    if (fieldname !== FILE) return done(null, false);
    if (seen) {
      const error = new DomainError('INVALID', { message: 'Send exactly one file' });
      incoming.refuse(error);
      return done(error, false);
    }
    seen = true;
    done(null, true);
  };
}

/** Runs a multipart parser; malformed input becomes 400 or 413. */
export async function runMultipart(
  incoming: IncomingBody,
  middleware: Middleware,
  koa: KoaContext,
): Promise<Parsed> {
  // Multer would wait for ever, because the event has already fired.
  if (incoming.req.destroyed) fail('INVALID', 'The form data ended too early');
  try {
    await incoming.untilRefused(middleware(koa as never, async () => undefined));
    return koa as unknown as Parsed;
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The error for the caller after a multipart body failed. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  const code = (error as { code?: string }).code ?? '';
  if (code === 'LIMIT_FILE_SIZE' || code === 'LIMIT_FIELD_VALUE')
    return new DomainError('TOO_LARGE', { cause: error });
  const malformed =
    error.name === 'MulterError' ||
    /multipart|boundary|unexpected end|malformed|header|aborted/i.test(error.message);
  if (!malformed) return error;
  return new DomainError('INVALID', {
    message:
      code === 'LIMIT_UNEXPECTED_FILE'
        ? 'Send exactly one file, in the form field "file"'
        : 'The form is not valid multipart',
    cause: error,
  });
}

/** A file part as multer passes it; multer's published types lack the stream. */
export interface IncomingFile {
  readonly fieldname: string;
  readonly stream: Readable;
  /** Null if the client gave none. */
  readonly originalname: string | null;
  readonly mimetype: string;
  readonly upload?: StagedUpload;
}

/** Stages each file with `take`; multer frees staged files if the request fails. */
export function stagingStorage(
  incoming: IncomingBody,
  take: (file: IncomingFile, fields: Record<string, unknown> | undefined) => Promise<StagedUpload>,
): multer.StorageEngine {
  const engine = {
    _handleFile: (
      req: IncomingMessage & { body?: Record<string, unknown> },
      file: IncomingFile & { readonly originalname: string },
      done: (error?: unknown, info?: object) => void,
    ) => {
      const { fieldname, stream, mimetype } = file;
      take({ fieldname, stream, mimetype, originalname: givenName(file.originalname) }, req.body).then(
        (upload) => done(null, { upload }),
        (error) => {
          incoming.refuse(error);
          done(error);
        },
      );
    },
    _removeFile: (_req: IncomingMessage, file: IncomingFile, done: (error: unknown) => void) => {
      Promise.resolve(file.upload?.blob.discard()).then(() => done(null), done);
    },
  };
  return engine as unknown as multer.StorageEngine;
}

/** Stages a stream up to the caller's size limit. */
export async function stage(
  incoming: IncomingBody,
  stream: Readable,
  name: string | null,
  type: string | null,
  ask: Ask,
): Promise<StagedUpload> {
  const { maxBytes, proven, counted, refuse } = await ask();
  if (proven) incoming.authenticated();
  return new StagedUpload(await stageUpTo(incoming, stream, maxBytes, refuse), name, type, counted);
}

/** Stages a stream up to a number of bytes; beyond that, `refuse` ends the request. */
export async function stageUpTo(
  incoming: IncomingBody,
  stream: Readable,
  maxBytes: number,
  refuse: (cause: unknown) => never,
): Promise<StagedBlob> {
  try {
    return await incoming.ctx.app.storage.blobs.stage(stream, {
      maxBytes,
      count: (bytes) => incoming.stage(bytes),
    });
  } catch (error) {
    if (error instanceof BlobTooLarge) refuse(error);
    throw error;
  }
}

/** The fields of a form. */
export const bodyOf = (parsed: Pick<Parsed, 'request'>): Fields => new Fields({ ...parsed.request.body });

/** A form field with the API key counts like the header, as soon as it is received. */
export function showKey(ctx: Context, key: unknown): void {
  // Forms also send empty fields.
  if (typeof key === 'string' && key.trim() !== '') ctx.credentials.formKey = key;
}
