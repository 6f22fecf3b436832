import type { IncomingMessage } from 'node:http';
import multer from '@koa/multer';
import type { Context as KoaContext } from 'koa';
import { fail } from '../../routers/base/errors.js';
import { ATTACHMENT_BYTES } from '../../routers/base/ports/mail/mail.js';
import { StagedUpload } from '../../routers/features/image/upload/staged.js';
import type { ArrivedPart } from '../../routers/features/mail/arrival/attachments.js';
import { admitMail, asGenuine } from '../../routers/features/mail/arrival/inbound.js';
import { ARRIVAL_BYTES } from '../../routers/features/mail/bounds.js';
import { Fields } from '../fields.js';
import { headerOf, NOTHING_RECEIVED, type Received } from '../wire.js';
import { MAX_FIELDS_BYTES, mediaType, readFields } from './body.js';
import { boundedTo } from './bounded.js';
import type { IncomingBody } from './incoming-body.js';
import { type IncomingFile, runMultipart, stageUpTo, stagingStorage, UTF8_NAMES } from './multipart.js';
import { charsetOf } from './part-head.js';

/** Attachments, which may have no name, and whole messages, which are no text in any one charset. */
const FILES = /^(?:attachment-\d+|body-mime)$/;
/** Their bytes in an urlencoded form. */
const BYTES: ReadonlySet<string> = new Set(['body-mime']);

/** A provider also sends every header of a mail as a separate field. */
const LIMITS = {
  fields: 2_000,
  files: 200,
  parts: 2_200,
  fieldNameSize: 200,
  fieldArrayIndexLimit: 1_000,
  fieldNestingDepth: 4,
  headerPairs: 64,
  fieldSize: 16 * 1024 * 1024,
} as const;

/**
 * Receives a mail from a provider or a mail worker: JSON, urlencoded, or multipart whose files are streamed
 * to the staging area. Refuses what could never be accepted before reading it; 413 if the total exceeds 40
 * MiB.
 */
export async function receiveMailBody(incoming: IncomingBody, koa: KoaContext): Promise<Received> {
  const token = headerOf(koa.req, 'x-email-token');
  await admitMail(incoming.ctx, token);
  // The worker's token was verified by `admitMail`; a provider's signature is in the form.
  if (token !== null) incoming.authenticated();
  const receive = () => receiveAdmitted(incoming, koa);
  return token === null ? receive() : asGenuine(incoming.ctx, receive);
}

async function receiveAdmitted(incoming: IncomingBody, koa: KoaContext): Promise<Received> {
  const length = Number(headerOf(koa.req, 'content-length') ?? Infinity);
  if (Number.isFinite(length) && length > ARRIVAL_BYTES) fail('TOO_LARGE');
  if (mediaType(koa.req) === 'multipart/form-data') return receiveParts(incoming, koa);
  const isOfWorker = headerOf(koa.req, 'x-email-token') !== null;
  if (isOfWorker && length > MAX_FIELDS_BYTES && isJsonInUtf(koa.req)) return receiveObject(incoming);
  // Providers send forms; what is parsed before its sender is known is small.
  const jsonBytes = isOfWorker ? ARRIVAL_BYTES : MAX_FIELDS_BYTES;
  const body = await readFields(incoming, ARRIVAL_BYTES, { asBytes: BYTES, jsonBytes });
  return { body, file: null, text: null };
}

function isJsonInUtf(req: IncomingMessage): boolean {
  const type = mediaType(req);
  const charset = charsetOf(req.headers['content-type'] ?? '') ?? 'utf-8';
  return (type === 'application/json' || type.endsWith('+json')) && /^utf-?8$/i.test(charset);
}

/** A large object, which is parsed where mail is read: others would wait for it here. */
async function receiveObject(incoming: IncomingBody): Promise<Received> {
  const body = await stageUpTo(incoming, incoming.req, ARRIVAL_BYTES, () => fail('TOO_LARGE'));
  return { ...NOTHING_RECEIVED, file: new StagedUpload(body, null, null) };
}

async function receiveParts(incoming: IncomingBody, koa: KoaContext): Promise<Received> {
  const bounded = boundedTo(incoming, ARRIVAL_BYTES, {
    fieldBytes: LIMITS.fieldSize,
    // A mail that is refused is lost, whatever its provider did to it.
    unnamed: 'guess',
    textFiles: false,
    files: FILES,
  });
  const storage = stagingStorage(
    incoming,
    async ({ stream, originalname, mimetype }) =>
      new StagedUpload(
        await stageUpTo(incoming, stream, ATTACHMENT_BYTES, () => fail('TOO_LARGE')),
        originalname,
        mimetype,
      ),
  );
  const options = { storage, limits: LIMITS, ...bounded, ...UTF8_NAMES };
  const { request } = await runMultipart(incoming, multer(options as multer.Options).any(), koa);
  const { files } = koa as unknown as { readonly files?: readonly IncomingFile[] };
  const parts = (files ?? []).flatMap(({ fieldname, upload }): ArrivedPart[] =>
    upload === undefined ? [] : [{ field: fieldname, upload }],
  );
  return { body: new Fields({ ...request.body }), file: null, text: null, parts };
}
