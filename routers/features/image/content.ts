import { z } from 'zod';
import { blobSize } from '../../../db/content/file/blob.js';
import type { StoredImage } from '../../../db/content/file/image.js';
import { isUsedUp } from '../../../db/content/life.js';
import { DomainError, fail, found } from '../../base/errors.js';
import { isOwnExtension, readAddress } from '../../base/item-address.js';
import { formatNamed } from '../../base/ports/media/formats.js';
import { transferInput } from '../../base/transfer.js';
import { type Access, accessOrNull, authorise, canEnd, requireLiving } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import {
  isDocument,
  isDrawing,
  isRareFormat,
  savedName,
  withExtension,
} from '../../core/items/file-names.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { webUrl } from '../../core/items/links.js';
import { type ContentDelivery, deliver, type Representation } from './deliver.js';
import { renditionInput, renditionOf, renditionWanted } from './rendition.js';

/** Which bytes of an image are wanted, and how they are sent. */
export const contentInput = z.object({
  uniqueId: uniqueIdInput,
  password: shownPasswordInput,
  /** Whether to send it as a download with its file name. */
  download: z.boolean().default(false),
  /** For browser navigation: a refusal redirects to the page instead. */
  prefersPage: z.boolean().default(false),
  transfer: transferInput,
  /** The `Accept` header, for pictures of a format that few browsers show. */
  accept: z.string().max(2_000).nullable().catch(null).default(null),
  /** The query string as received, `?` included; redirects keep it. */
  query: z.string().default(''),
  ...renditionInput,
});

export type ContentInput = z.output<typeof contentInput>;

/** The image with this id, if it is alive or the caller is its owner or a moderator; 404 otherwise. */
export async function findImage(ctx: Context, uniqueId: string): Promise<StoredImage> {
  const image = found(await ctx.app.load.image(uniqueId));
  if (canEnd(image) || image.maxViews !== null)
    await requireLiving(ctx, 'image', image, isUsedUp(image.views, image.maxViews));
  return image;
}

/** The image at an address: like `findImage`, with `ID` or with `ID.ext` and its own extension (contract §6). */
export async function findAddressed(ctx: Context, address: string): Promise<StoredImage> {
  const { uniqueId, extension } = readAddress(address);
  const image = await findImage(ctx, uniqueId);
  if (extension !== null && !isOwnExtension(image.type, extension)) fail('NOT_FOUND');
  return image;
}

/** The content of an image or a file; for a video a redirect to it. */
export async function getContent(ctx: Context, input: ContentInput): Promise<ContentDelivery> {
  const image = await findAddressed(ctx, input.uniqueId);
  const access = await open(ctx, image, input);
  if (access === null) return pageOf(ctx, image);
  if (image.mediaKind === 'video') {
    return {
      as: 'redirect',
      location: `${ctx.app.settings.baseUrl}/image/get/video/${image.uniqueId}${input.query}`,
    };
  }
  if (isNegotiable(image, input)) return negotiated(ctx, image, access, input);
  const form = renditionWanted(input) === null ? original(image) : await represent(ctx, image, input);
  return deliver(ctx, image, access, input, form);
}

/**
 * Whether the caller gets a picture of a rare format, or a drawing, as it can show it: it asks for the picture, and for no
 * form of it.
 */
const isNegotiable = (image: StoredImage, input: ContentInput): boolean =>
  (isRareFormat(image.type) || isDrawing(image.mimeType)) &&
  renditionWanted(input) === null &&
  !input.download;

/** The original for callers that show its format or name none, otherwise a rendition of it if it can be decoded. */
async function negotiated(
  ctx: Context,
  image: StoredImage,
  access: Access,
  input: ContentInput,
): Promise<ContentDelivery> {
  // Drawings have transparent grounds.
  const format = isDrawing(image.mimeType) ? 'webp' : 'jpeg';
  const form = showsOriginal(image, input.accept)
    ? original(image)
    : await represent(ctx, image, { width: null, format }).catch((error: unknown) => {
        if (error instanceof DomainError && error.reason === 'UNSUPPORTED') return original(image);
        throw error;
      });
  const delivered = await deliver(ctx, image, access, input, form);
  return delivered.as === 'bytes' ? { ...delivered, byAccept: true } : delivered;
}

/**
 * Browsers that show none but common formats name images in `Accept`, but not this one. All of them name drawings, which
 * are only downloaded here: what asks for a picture before all else is an `<img>`, and shows a rendition.
 */
const showsOriginal = (image: StoredImage, accept: string | null): boolean => {
  const named = (accept ?? '').toLowerCase();
  if (isDrawing(image.mimeType)) return !/^\s*image\/(?!svg)/.test(named);
  const format = formatNamed(image.type);
  return !named.includes('image/') || named.includes(format?.accept ?? format?.mimeType ?? image.mimeType);
};

/** The bytes of a video. */
export async function getVideo(ctx: Context, input: ContentInput): Promise<ContentDelivery> {
  const image = await findAddressed(ctx, input.uniqueId);
  const access = await open(ctx, image, input);
  if (access === null) return pageOf(ctx, image);
  // After the access check, so that callers without access do not learn that it is not a video.
  if (image.mediaKind !== 'video') fail('NOT_FOUND');
  return deliver(ctx, image, access, input, original(image));
}

/**
 * A document for the frame on its page, with the policy under which nothing in it runs. 400 for what is none, and for
 * one whose views are counted.
 */
export async function getDocument(ctx: Context, input: ContentInput): Promise<ContentDelivery> {
  const image = await findImage(ctx, input.uniqueId);
  const access = await authorise(ctx, 'image', image, input.password);
  if (image.maxViews !== null || !isDocument(image.mimeType)) fail('INVALID', 'This file is not shown');
  // An object store would send it with another policy.
  const delivered = await deliver(ctx, image, access, { ...input, documents: 'here' }, original(image));
  return delivered.as === 'bytes' ? { ...delivered, framed: true } : delivered;
}

/** The poster of a video, a JPEG: a frame of its content, so that it uses up a view like the rest. */
export async function getPoster(ctx: Context, input: ContentInput): Promise<ContentDelivery> {
  const image = await findImage(ctx, input.uniqueId);
  const access = await open(ctx, image, input);
  if (access === null) return pageOf(ctx, image);
  return deliver(ctx, image, access, input, await posterOf(ctx, image));
}

/** The poster of a video; 404 if it has none. */
export async function posterOf(ctx: Context, image: StoredImage): Promise<Representation> {
  const sha256 = found(image.posterSha256);
  return {
    sha256,
    size: found(await blobSize(ctx.app.db.read, sha256)),
    mimeType: 'image/jpeg',
    filename: withExtension(original(image).filename, 'jpg'),
    whole: false,
  };
}

/** The bytes as stored. */
const original = (image: StoredImage): Representation => ({
  sha256: image.sha256,
  size: image.size,
  mimeType: image.mimeType,
  filename: savedName(image.originalName ?? `${image.uniqueId}.${image.type}`, image.type),
  whole: true,
});

/** The requested representation of an image. Only for callers with access. */
export async function represent(
  ctx: Context,
  image: StoredImage,
  input: Pick<ContentInput, 'width' | 'format'>,
): Promise<Representation> {
  const wanted = renditionWanted(input);
  if (wanted === null) return original(image);
  const { extension, ...rendition } = await renditionOf(ctx.app, image, wanted);
  const filename = withExtension(original(image).filename, extension);
  return { ...rendition, filename, whole: wanted.width === null };
}

/** As `authorise`, but null for a browser without access, which is redirected to the page. */
const open = (ctx: Context, image: StoredImage, input: ContentInput): Promise<Access | null> =>
  (input.prefersPage ? accessOrNull : authorise)(ctx, 'image', image, input.password);

const pageOf = (ctx: Context, image: StoredImage): ContentDelivery => ({
  as: 'redirect',
  location: webUrl(ctx.app, 'image', image.uniqueId),
});
