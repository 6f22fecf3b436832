import { z } from 'zod';
import { failUpload, type Upload } from '../../../db/content/upload/upload.js';
import { isUploadHeld } from '../../../db/content/upload/upload-lock.js';
import { DomainError, fail } from '../../base/errors.js';
import { type Localizable, localizable } from '../../base/language/localizable.js';
import { type FetchedFile, OutboundFailed } from '../../base/ports/outbound.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { imageRecord } from '../image/public.js';
import { append } from './append.js';
import { type Opened, openUpload } from './begin.js';
import { ADDRESS_MS, findUpload } from './find.js';
import { removeParts } from './finish.js';
import { explain, fromUrlInput } from './from-url.js';
import { imagePurpose } from './image.js';
import { IncomingPart } from './incoming.js';
import { imageOf } from './outcome.js';
import { failureOf, plain, reasonRecord, whyFailed } from './reason.js';

/** A file to be fetched in the background. */
export const startFetchingInput = fromUrlInput.extend({
  /** What its sender typed, to be shown again. */
  form: z.string().max(16_384).nullish(),
});

/** How far a file is that this server fetches. */
export const fetchingRecord = z.object({
  state: z.enum(['receiving', 'processing', 'done', 'failed']),
  offset: z.int(),
  /** Null if the other server does not say it. */
  length: z.int().nullable(),
  image: imageRecord.nullable(),
  why: reasonRecord.nullable(),
  form: z.string().nullable(),
});

/** Marks an upload whose bytes this server fetches. */
const fetchedFields = z.object({ isFetched: z.literal(true) });

const LOST = localizable('The transfer has ended with the program of this server: fetch the file again');

/** A transfer of which nothing was recorded for so long, and which nobody holds, has ended with its process. */
const SILENT_MS = 10_000;

/** Bytes that have arrived in this process, and are not all recorded, by the upload that they belong to. */
const arriving = new WeakMap<Services, Map<number, number>>();
function arrivingIn(app: Services): Map<number, number> {
  const known = arriving.get(app) ?? new Map<number, number>();
  arriving.set(app, known);
  return known;
}

/**
 * Begins to fetch a file as an upload of the caller, and answers with its address once the other server sends the file:
 * whatever is wrong until then is a refusal as that of `uploadFromUrl`. What happens later is found at the address,
 * where it can be ended, too.
 */
export async function startFetching(
  ctx: AccountContext,
  input: z.output<typeof startFetchingInput>,
): Promise<{ readonly secret: string }> {
  const { app, account } = ctx;
  const described = { ...input, filetype: null, length: null, metadata: input.form };
  const { ownerId, fields: wished } = await imagePurpose.admit(ctx, described);
  const fields = { ...(wished as object), isFetched: true };
  return new Promise((resolve, reject) => {
    const left = new AbortController();
    const begun: { upload: Opened | null } = { upload: null };
    // Once it has an address, it goes on without whoever asked for it.
    ctx.onFinished(() => {
      if (begun.upload === null) left.abort();
    });
    app.background.run(async (ending) => {
      const stop = new AbortController();
      const signal = AbortSignal.any([ending, left.signal, stop.signal]);
      const receive = async (file: FetchedFile): Promise<void> => {
        const { size: length, contentType: filetype } = file;
        const filename = input.filename || file.filename;
        const opened = { ...described, length, filetype, filename };
        begun.upload = await openUpload(app, imagePurpose, { ownerId, fields }, opened);
        resolve({ secret: begun.upload.secret });
        await receiveWhole(ctx, begun.upload, file, () => stop.abort());
      };
      try {
        await app.limits.fetches(String(account.id), () =>
          app.files.fetch(input.url.trim(), signal, receive).catch(explain),
        );
      } catch (error) {
        if (begun.upload === null) return reject(error);
        const why = ending.aborted ? LOST : reasonOf(app, error);
        await endFailed(app, begun.upload.id, failureOf(fields, why));
      }
    });
  });
}

/** Stores a file as it arrives. Its length is said at the end if the other server did not say it before. */
async function receiveWhole(
  ctx: Context,
  { id, secret }: Opened,
  { body, size }: FetchedFile,
  end: () => void,
): Promise<void> {
  const live = arrivingIn(ctx.app);
  async function* counted(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      live.set(id, bytes);
      yield chunk;
    }
  }
  const part = (chunks: AsyncIterable<Uint8Array>) =>
    new IncomingPart(
      chunks,
      null,
      true,
      () => undefined,
      end,
      () => Number.POSITIVE_INFINITY,
    );
  try {
    const first = { secret, offset: 0, length: null, checksum: null, part: part(counted()) };
    const { offset } = await append(ctx, first);
    if (offset === 0) fail('FILE_EMPTY');
    if (size !== null && offset < size)
      throw new OutboundFailed('The connection to the other server was lost: try again');
    if (size === null) await append(ctx, { ...first, offset, length: offset, part: part(nothing()) });
  } finally {
    live.delete(id);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Why a transfer failed, for people. */
function reasonOf({ log }: Services, error: unknown): Localizable {
  if (error instanceof DomainError) return error.localizable;
  log.warn({ err: error }, 'a file that was fetched could not be stored');
  return localizable('The file could not be stored: try again later');
}

/** Ends a transfer as failed; one that was cancelled is gone. */
async function endFailed(app: Services, id: number, failure: ReturnType<typeof failureOf>): Promise<void> {
  if (await app.db.write((trx) => failUpload(trx, id, failure, Date.now() + ADDRESS_MS)))
    await removeParts(app, id);
}

/** How far the file at an address is, and what became of it. */
export async function fetching(ctx: Context, secret: string): Promise<z.output<typeof fetchingRecord>> {
  const { app } = ctx;
  const upload = await findUpload(app, secret);
  const { state, received, length, metadata } = upload;
  if (!fetchedFields.safeParse(upload.fields).success) fail('NOT_FOUND');
  const live = arrivingIn(app).get(upload.id);
  const isLost = state === 'receiving' && live === undefined && (await hasEnded(app, upload));
  if (isLost) await endFailed(app, upload.id, failureOf(upload.fields, LOST));
  return {
    state: isLost ? 'failed' : state,
    offset: Math.max(received, live ?? 0),
    length,
    image: await imageOf(ctx, upload),
    why: isLost ? plain(LOST) : whyFailed(upload),
    form: metadata === null ? null : app.secrets.decrypt(metadata),
  };
}

/** Whether nobody receives an upload any more. */
async function hasEnded(app: Services, { id, expiresAt }: Upload): Promise<boolean> {
  const now = Date.now();
  return expiresAt - ADDRESS_MS < now - SILENT_MS && !(await isUploadHeld(app.db.read, id, now));
}
