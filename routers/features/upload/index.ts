import { z } from 'zod';
import type { Image } from '../../../db/content/file/image.js';
import type { Upload } from '../../../db/content/upload/upload.js';
import { i18nForAnswer } from '../../base/language/i18n.js';
import { iso } from '../../base/text/dates.js';
import type { AccountContext, Context } from '../../core/context.js';
import { creator, open, router } from '../../core/trpc.js';
import {
  countUpload,
  imageRecord,
  type StagedUpload,
  stagedUploadInput,
  toImageRecord,
  uploadTogether,
} from '../image/public.js';
import { sentFile } from '../request/public.js';
import { append, appendedRecord, appendInput } from './append.js';
import { begin, begunRecord } from './begin.js';
import { beginInput } from './begin-input.js';
import { endUpload } from './end.js';
import { fetching, fetchingRecord, startFetching, startFetchingInput } from './fetching.js';
import { findUpload, secretInput } from './find.js';
import { addressInput, fetchFile, fromUrlInput, uploadFromUrl } from './from-url.js';
import type { Answering } from './guest.js';
import { imageOf } from './outcome.js';
import { purposeNamed } from './purposes.js';
import { type ReasonRecord, reasonIn, whyFailed } from './reason.js';
import { sourceInput, uploadFromSource } from './source.js';

/** Maximum number of files in one request. */
const MAX_TOGETHER = 16;

/** Files and addresses that become items together, or none. */
const severalInput = z.object({
  files: z.array(stagedUploadInput).max(MAX_TOGETHER).default([]),
  urls: z.array(addressInput).max(MAX_TOGETHER).default([]),
});

/** Stores the files that came with a request, and those that this server fetches: all of them or, if one is refused, none. */
async function uploadSeveral(
  ctx: AccountContext,
  { files, urls }: z.output<typeof severalInput>,
): Promise<Image[]> {
  for (const file of files) await countUpload(ctx, file);
  const fetched: StagedUpload[] = [];
  try {
    for (const url of urls) fetched.push(await fetchFile(ctx, url));
    return await uploadTogether(ctx, [...files, ...fetched]);
  } finally {
    for (const { blob } of fetched) await blob.discard();
  }
}

const atAddress = z.object({ secret: secretInput });

/** What became of an upload, with the item once there is one. */
export const uploadRecord = z.object({
  state: z.enum(['receiving', 'processing', 'done', 'failed']),
  offset: z.int(),
  length: z.int().nullable(),
  expiresAt: z.iso.datetime(),
  image: imageRecord.optional(),
  /** What has come in by a request link, for guests. */
  received: z.array(sentFile).optional(),
  /** Why it failed. */
  reason: z.string().optional(),
});

/** Uploads that arrive in several requests (contract §4, Resumable uploads). The address is the credential. */
export const uploadRouter = router({
  /** What a client has to show depends on what the upload is for: guests of a link need no account, and no right of theirs. */
  begin: open(null, 'whilePaused')
    .input(beginInput)
    .output(begunRecord)
    .mutation(({ ctx, input }) => begin(ctx, input)),

  /** Fetches a file from another server and stores it. */
  fromUrl: creator('images:write', 'creates')
    .input(fromUrlInput)
    .output(imageRecord)
    .mutation(async ({ ctx, input }) =>
      toImageRecord(ctx.app, await uploadFromUrl(ctx, input), { access: true, creator: true }),
    ),

  /** Stores the files that came with a request, or that are fetched: all or none. */
  several: creator('images:write', 'creates')
    .input(severalInput)
    .output(z.array(imageRecord))
    .mutation(async ({ ctx, input }) => {
      const images = await uploadSeveral(ctx, input);
      return Promise.all(
        images.map((image) => toImageRecord(ctx.app, image, { access: true, creator: true })),
      );
    }),

  /** Stores a file that came as its bytes, in base64, or as an address. */
  source: creator('images:write', 'creates')
    .input(sourceInput)
    .output(imageRecord)
    .mutation(async ({ ctx, input }) =>
      toImageRecord(ctx.app, await uploadFromSource(ctx, input), { access: true, creator: true }),
    ),

  /** As `fromUrl`, for a page that shows how far it is: what becomes of it is found by its secret, by which `end` ends it. */
  startFetching: creator('images:write', 'creates')
    .input(startFetchingInput)
    .output(z.object({ secret: z.string() }))
    .mutation(({ ctx, input }) => startFetching(ctx, input)),

  fetching: open(null)
    .input(atAddress)
    .output(fetchingRecord)
    .query(({ ctx, input }) => fetching(ctx, input.secret)),

  append: open(null, 'whilePaused')
    .input(appendInput)
    .output(appendedRecord)
    .mutation(({ ctx, input }) => append(ctx, input)),

  get: open(null)
    .input(atAddress)
    .output(uploadRecord.extend({ metadata: z.string().nullable() }))
    .query(async ({ ctx, input }) => {
      const upload = await findUpload(ctx.app, input.secret);
      const { state, received, length, expiresAt, metadata } = upload;
      const why = whyFailed(upload);
      const image = await imageOf(ctx, upload);
      return {
        ...{ state, offset: received, length, expiresAt: iso(expiresAt) },
        ...(image === null ? {} : { image }),
        ...receivedOf(upload),
        ...(why === null ? {} : { reason: await inWords(ctx, why) }),
        metadata: metadata === null ? null : ctx.app.secrets.decrypt(metadata),
      };
    }),

  end: open(null, 'whilePaused')
    .input(atAddress)
    .output(z.object({ ended: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await endUpload(ctx.app, input.secret);
      return { ended: true as const };
    }),
});

/** Why an upload failed, for whoever asks. */
async function inWords({ acceptLanguage, credentials }: Context, why: ReasonRecord): Promise<string> {
  const i18n = await i18nForAnswer(acceptLanguage, credentials.apiKey !== null);
  return i18n.translate(reasonIn(why));
}

/** The receipt of what a guest has sent. */
function receivedOf({ state, purpose, filename, received, fields }: Upload) {
  if (state !== 'done' || !purposeNamed(purpose).isOfGuests) return {};
  return {
    received: [{ name: filename ?? 'file', size: received, receipt: (fields as Answering).receipt ?? '' }],
  };
}
