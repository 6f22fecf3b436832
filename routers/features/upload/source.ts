import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { z } from 'zod';
import type { Image } from '../../../db/content/file/image.js';
import { DomainError, fail } from '../../base/errors.js';
import { BlobTooLarge } from '../../base/ports/storage.js';
import type { AccountContext } from '../../core/context.js';
import {
  allowUpload,
  countUpload,
  itemFields,
  StagedUpload,
  stagedUploadInput,
  uploadImage,
} from '../image/public.js';
import { fetchFile } from './from-url.js';

/** A file in one of the forms in which older clients send it. */
export const sourceInput = z.object({
  file: stagedUploadInput.nullish(),
  /** Base64, or an address. */
  text: z.string().nullish(),
  /** What it is; guessed unless it is one of these words. */
  form: z.enum(['file', 'base64', 'url']).nullish().catch(null),
  filename: z.string().max(1_000).nullish(),
  ...itemFields,
});
type SourceInput = z.output<typeof sourceInput>;

/** Words that somebody typed, and not the bytes of a file. */
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

/** An address has at most as many characters. */
const MAX_ADDRESS = 8_000;
/** So much of a text without a name tells what it is. */
const LOOKED_AT = MAX_ADDRESS + 2;
const ADDRESS = /^\s*https?:\/\/\S+\s*$/i;
const BASE64 = /^(?:\s*data:[^,]{0,200};base64,)?[a-z0-9+/_=\s-]+$/i;

/** Stores a file that came as its bytes, in base64, or as an address that this server fetches. 400 for anything else. */
export async function uploadFromSource(ctx: AccountContext, input: SourceInput): Promise<Image> {
  const { file: sent, text, form, ...fields } = input;
  if (sent != null) await countUpload(ctx, sent);
  const begin = sent == null ? (text ?? '') : await beginningOf(sent);
  if (sent == null && begin.trim() === '') fail('FILE_MISSING');
  const isText = sent?.originalName == null;
  const is = form ?? (isText ? guessed(begin, sent?.blob.size ?? begin.length) : 'file');
  if (form == null && isText && is === 'file' && PLAIN.test(begin)) fail('FILE_MISSING');
  if (is === 'file' && sent != null)
    return uploadImage(ctx, { ...fields, file: named(sent, input), uniqueId: null });
  const made =
    is === 'base64' || is === 'file'
      ? await stageDecoded(
          ctx,
          sent == null ? Readable.from([Buffer.from(begin)]) : createReadStream(sent.blob.path),
          input.filename ?? sent?.originalName ?? null,
        )
      : await fetchFile(ctx, begin.slice(0, MAX_ADDRESS).trim(), input.filename);
  try {
    return await uploadImage(ctx, { ...fields, file: made, uniqueId: null });
  } finally {
    await made.blob.discard();
  }
}

const guessed = (begin: string, size: number): 'file' | 'base64' | 'url' => {
  if (size <= MAX_ADDRESS && ADDRESS.test(begin)) return 'url';
  return BASE64.test(begin.slice(0, MAX_ADDRESS)) ? 'base64' : 'file';
};

const named = (sent: StagedUpload, { filename }: SourceInput): StagedUpload =>
  sent.originalName === null && filename != null
    ? new StagedUpload(sent.blob, filename, sent.declaredType, true)
    : sent;

/** The beginning of a staged file, as Latin-1. */
async function beginningOf({ blob }: StagedUpload): Promise<string> {
  if (blob.content !== null) return blob.content.toString('latin1', 0, LOOKED_AT);
  const file = await open(blob.path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Stages what some base64 stands for. */
async function stageDecoded(
  ctx: AccountContext,
  source: Readable,
  filename: string | null,
): Promise<StagedUpload> {
  const { maxBytes, refuse } = await allowUpload(ctx);
  const decoder = decodingBase64();
  source.once('error', (error) => decoder.destroy(error));
  try {
    const blob = await ctx.app.storage.blobs.stage(source.pipe(decoder), { maxBytes });
    return new StagedUpload(blob, filename, null, true);
  } catch (error) {
    throw error instanceof BlobTooLarge ? refuse(error) : error;
  } finally {
    source.destroy();
  }
}

/** Decodes base64 as it arrives, whatever white space or `data:` is in it. */
function decodingBase64(): Transform {
  let rest = '';
  let isFirst = true;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let text = rest + chunk.toString('latin1');
      // Its type is said by what it contains.
      if (isFirst) text = text.replace(/^\s*data:[^,]{0,200};base64,/i, '');
      isFirst = false;
      text = text.replace(/\s+/g, '');
      if (/[^a-z0-9+/_=-]/i.test(text)) return done(new DomainError('FILE_MISSING'));
      const whole = text.length - (text.length % 4);
      rest = text.slice(whole);
      return done(null, Buffer.from(text.slice(0, whole), 'base64'));
    },
    flush: (done) => done(null, Buffer.from(rest, 'base64')),
  });
}
