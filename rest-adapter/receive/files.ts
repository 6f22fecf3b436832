import multer from '@koa/multer';
import type { Context as KoaContext } from 'koa';
import type { Received } from '../wire.js';
import { boundedTo } from './bounded.js';
import type { IncomingBody } from './incoming-body.js';
import {
  type Ask,
  bodyOf,
  type IncomingFile,
  MAX_BESIDE_FILE_BYTES,
  runMultipart,
  showKey,
  stage,
  stagingStorage,
  UTF8_NAMES,
} from './multipart.js';

const LIMITS = {
  fields: 64,
  files: 16,
  parts: 80,
  fieldNameSize: 100,
  fieldArrayIndexLimit: 1_000,
  fieldNestingDepth: 4,
  headerPairs: 64,
  fieldSize: 64 * 1024,
} as const;

/**
 * Receives a multipart body whose files, whatever their fields are called, are streamed to the staging area. Each may be as
 * large as the caller's limit allows, all together as large as one file may be; beyond that 413. What is in a field of `nameless` is a file, even without a
 * name.
 */
export async function receiveFiles(
  incoming: IncomingBody,
  koa: KoaContext,
  ask: Ask,
  nameless?: RegExp,
): Promise<Received> {
  const { ctx } = incoming;
  const storage = stagingStorage(incoming, ({ stream, originalname, mimetype }, fields) => {
    showKey(ctx, fields?.key);
    return stage(incoming, stream, originalname, mimetype, ask);
  });
  const bounded = boundedTo(incoming, ctx.app.settings.maxUploadBytes + MAX_BESIDE_FILE_BYTES, {
    fieldBytes: LIMITS.fieldSize,
    unnamed: 'guess',
    textFiles: false,
    ...(nameless === undefined ? {} : { files: nameless }),
  });
  const options = { storage, limits: LIMITS, ...bounded, ...UTF8_NAMES };
  const parsed = await runMultipart(incoming, multer(options as multer.Options).any(), koa);
  const body = bodyOf(parsed);
  showKey(ctx, body.raw('key'));
  const { files = [] } = koa as unknown as { readonly files?: readonly IncomingFile[] };
  const parts = files.flatMap(({ fieldname: field, upload }) =>
    upload === undefined ? [] : [{ field, upload }],
  );
  return { body, file: null, text: null, parts };
}
