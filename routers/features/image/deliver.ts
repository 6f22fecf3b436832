import { z } from 'zod';
import { type Image, type StoredImage, takeView } from '../../../db/content/file/image.js';
import { isExpired } from '../../../db/content/life.js';
import { fail } from '../../base/errors.js';
import { planTransfer, type Transfer, type TransferPlan, transferPlan } from '../../base/transfer.js';
import { type Access, isOpen } from '../../core/access.js';
import type { Context, Services } from '../../core/context.js';
import { dispositionHeader, isDocument, isInlineSafe, isText } from '../../core/items/file-names.js';
import { may } from '../../core/policies.js';
import { noteViewed } from '../../core/telling/opened.js';

/** How long a presigned content URL is valid, in seconds. */
const LIFE_SECONDS = 300;

/**
 * With S3_REDIRECT, the URL at which the object store serves these bytes, with fixed type and disposition;
 * null if this server sends them. Only for content that stays open to everybody for the URL's whole lifetime
 * (contract §5).
 */
async function directUrl(
  app: Services,
  image: Image,
  bytes: {
    readonly sha256: string;
    readonly mimeType: string;
    readonly disposition: 'inline' | 'attachment';
    readonly filename: string | null;
  },
): Promise<string | null> {
  const { direct } = app.storage.blobs;
  if (direct === null || !isOpen(image) || image.maxViews !== null) return null;
  // The scripts of pages fetch from this server alone.
  if (image.seal !== null) return null;
  if (isExpired(image, Date.now() + LIFE_SECONDS * 1000)) return null;
  const { url } = await direct.presignGet(bytes.sha256, {
    contentType: bytes.mimeType,
    contentDisposition: dispositionHeader(bytes.disposition, bytes.filename, image.uniqueId),
    expiresInSeconds: LIFE_SECONDS,
  });
  return url;
}

/** Bytes to send, or where to redirect to. `plan` says which part; nothing else may be sent. */
export const delivery = z.union([
  z.object({ as: z.literal('redirect'), location: z.string() }),
  z.object({
    as: z.literal('bytes'),
    sha256: z.string(),
    size: z.int(),
    mimeType: z.string(),
    disposition: z.enum(['inline', 'attachment']),
    filename: z.string().nullable(),
    /** Who uploaded it; null for what was sent to its owner. */
    uploader: z.string().nullable(),
    /** False if only this caller may cache the bytes. */
    shared: z.boolean(),
    /** Whether everybody may open the item. */
    open: z.boolean(),
    facts: z.object({ size: z.int(), type: z.string() }),
    /** Whether callers with another `Accept` header may get other bytes. */
    byAccept: z.boolean().optional(),
    /** Whether the pages of front ends show it in a frame, as they do with documents of a pack. */
    framed: z.boolean().optional(),
    plan: transferPlan,
  }),
]);

export type ContentDelivery = z.output<typeof delivery>;

/** One representation of an image: its own bytes, a rendition, or its poster. */
export interface Representation {
  readonly sha256: string;
  readonly size: number;
  readonly mimeType: string;
  readonly filename: string;
  /** Whether it is the whole item; smaller pictures and posters stand for it where it is listed. */
  readonly whole: boolean;
}

/**
 * Delivers one representation of an image after the access check, which uses up a view. With `documents`, what browsers
 * show by themselves is inline as well: documents and texts; `here` if an object store must not send it. `count` counts
 * it, and is told whether somebody begins to read.
 */
export async function deliver(
  ctx: Context,
  image: StoredImage,
  access: Access,
  input: {
    readonly download: boolean;
    readonly transfer: Transfer;
    readonly documents?: boolean | 'here';
  },
  { sha256, size, mimeType, filename, whole }: Representation,
  count = (opens: boolean): Promise<unknown> => countView(ctx, image, opens),
): Promise<ContentDelivery> {
  const plan = planTransfer(input.transfer, `"${sha256}"`, size);
  const shownAs = inlineType(mimeType, input.documents !== undefined && input.documents !== false);
  const bytes = {
    as: 'bytes',
    sha256,
    size,
    mimeType: shownAs ?? (image.seal === null ? 'application/octet-stream' : mimeType),
    disposition: shownAs !== null && !input.download ? 'inline' : 'attachment',
    filename,
    uploader: image.ownerName,
    shared: access === 'public' && image.maxViews === null,
    open: access === 'public',
    facts: { size: image.size, type: image.type },
    plan,
  } as const;
  if (plan.send !== 'full' && plan.send !== 'partial') return bytes;
  const elsewhere = ctx.app.settings.s3Redirect && input.documents !== 'here';
  const location = elsewhere ? await directUrl(ctx.app, image, bytes) : null;
  await count(whole && isBeginning(plan));
  return location === null ? bytes : { as: 'redirect', location };
}

/** The type with which content is inline; null if it is only downloaded. */
function inlineType(mimeType: string, documents: boolean): string | null {
  if (isInlineSafe(mimeType) || (documents && isDocument(mimeType))) return mimeType;
  return documents && isText(mimeType) ? `${mimeType}; charset=utf-8` : null;
}

/** Players ask for so many bytes to see whether they can ask for parts. */
const PROBE_BYTES = 2;

/** Whether somebody begins to read: players fetch the rest in many more parts. */
const isBeginning = (plan: TransferPlan): boolean =>
  plan.send !== 'partial' || (plan.range.start === 0 && plan.range.end > PROBE_BYTES);

/**
 * Uses up one view of a limited item; 404 if none are left. Owners and moderators use none. The statistics count each
 * of these; of an item without a limit those that open it.
 */
export async function countView(ctx: Context, image: StoredImage, opens: boolean): Promise<void> {
  if (image.maxViews === null) {
    if (opens && ctx.opens) noteViewed(ctx, 'image', image);
    return;
  }
  if (await may(ctx, 'open', 'image', image)) return;
  if (!(await ctx.app.db.write((trx) => takeView(trx, image.id)))) fail('NOT_FOUND');
  noteViewed(ctx, 'image', image);
}
