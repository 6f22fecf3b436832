import { z } from 'zod';
import { type StoredImage, takeView } from '../../../db/content/file/image.js';
import { isUsedUp } from '../../../db/content/life.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { LADDER } from '../../base/ports/media/ladder.js';
import { transferInput } from '../../base/transfer.js';
import { requireLiving } from '../../core/access.js';
import { userSummary } from '../../core/accounts/user-summary.js';
import type { Context } from '../../core/context.js';
import { requireAllowed } from '../../core/policies.js';
import {
  countLinkView,
  type EnteredLink,
  enterLink,
  findLink,
  linkTicket,
  type Shown,
  sharedInput,
  showsLess,
} from '../../core/sharing/enter.js';
import type { FindSharing } from '../../core/sharing/links.js';
import { noteViewed } from '../../core/telling/opened.js';
import { posterOf, represent } from './content.js';
import { type ContentDelivery, deliver, type Representation } from './deliver.js';
import { imageRecord, toImageRecord } from './record.js';
import { renditionInput } from './rendition.js';

/** The image of the caller that is to be shared. */
export const findShared: FindSharing = async ({ app, account }, uniqueId) => {
  const image = found(await app.load.image(uniqueId));
  requireAllowed(account, 'manage', 'image', image);
  return {
    kind: 'image',
    id: image.id,
    refuses: ({ renditionsOnly }) =>
      renditionsOnly && image.mediaKind !== 'image'
        ? localizable('Only pictures can be shown in a smaller size')
        : null,
  };
};

/** Which bytes of an image are wanted by a share link. */
export const sharedContentInput = sharedInput.extend({
  download: z.boolean().default(false),
  /** The poster of a video instead of the video. */
  poster: z.boolean().default(false),
  transfer: transferInput,
  ...renditionInput,
});

/** An image as those see it who open a share link. */
export const sharedImage = z.object({
  image: imageRecord.extend({ uploader: userSummary }),
  /** The bytes, as this caller may get them. */
  fileUrl: z.url(),
  /** Whether it is shown in a smaller size only. */
  renditionsOnly: z.boolean(),
});

/** The largest side of a picture that is shown in a smaller size only, in pixels. */
const MAX_SMALLER = 1_600;

/** The widest step at which neither side of the picture is larger than that. */
function smallerWidth({ width, height }: StoredImage, wanted: number | null | undefined): number {
  const [first = MAX_SMALLER] = LADDER;
  const scale = width === null || height === null ? 0 : Math.min(1, MAX_SMALLER / Math.max(width, height));
  // One that is not wider than a step is not enlarged to it.
  const fits = LADDER.filter((step) => step <= MAX_SMALLER && (scale === 1 || step <= (width ?? 0) * scale));
  const most = fits.at(-1) ?? first;
  return Math.min(most, wanted ?? most);
}

/** The representation that is wanted; only a smaller one of a picture, and nothing else but posters, where `less` says so. */
export async function formFor(
  ctx: Context,
  image: StoredImage,
  input: Pick<z.output<typeof sharedContentInput>, 'width' | 'format' | 'poster'>,
  less: boolean,
): Promise<Representation> {
  if (input.poster) return posterOf(ctx, image);
  if (!less) return represent(ctx, image, input);
  if (image.mediaKind !== 'image') fail('FORBIDDEN', 'This link shows pictures in a smaller size only');
  return represent(ctx, image, { ...input, width: smallerWidth(image, input.width) });
}

/** The image that a share link opens; 404 if the link or the image has ended, 403 without the password of the link. */
async function enterShared(
  ctx: Context,
  secret: string,
  shown: Shown,
): Promise<{ readonly image: StoredImage; readonly by: EnteredLink }> {
  const link = await findLink(ctx, 'image', secret);
  const image = found(link.uniqueId === null ? null : await ctx.app.load.image(link.uniqueId));
  if (image.id !== link.of.id) fail('NOT_FOUND');
  const by = await enterLink(ctx, link, image, shown);
  await requireLiving(ctx, 'image', image, isUsedUp(image.views, image.maxViews) && !by.holds);
  return { image, by };
}

/** Counts an opening for the link and for the image, both or neither; 404 if one of them has no view left. */
async function countOpening(ctx: Context, image: StoredImage, by: EnteredLink): Promise<void> {
  const takes = image.maxViews !== null;
  if (await countLinkView(ctx, by, async (trx) => !takes || takeView(trx, image.id)))
    noteViewed(ctx, 'image', image, by);
}

/** The bytes of an image by a share link; counts a view unless the caller shows the ticket of an opening. */
export async function sharedContent(
  ctx: Context,
  { secret, ...input }: z.output<typeof sharedContentInput>,
): Promise<ContentDelivery> {
  const { image, by } = await enterShared(ctx, secret, input);
  const form = await formFor(ctx, image, input, showsLess(by));
  const isLimited = image.maxViews !== null || by.link.maxViews !== null;
  // By the link every form is what was opened.
  return deliver(ctx, image, 'password', input, { ...form, whole: true }, async (opens) => {
    if (opens || isLimited) await countOpening(ctx, image, by);
  });
}

/** The record of an image for the page of a share link, whose opening counts; its bytes then need no other view. */
export async function describeShared(
  ctx: Context,
  { secret, ...input }: z.output<typeof sharedInput> & { readonly head: boolean },
): Promise<z.output<typeof sharedImage>> {
  const { image, by } = await enterShared(ctx, secret, input);
  if (!input.head) await countOpening(ctx, image, { ...by, holds: false });
  const ticket = input.head ? '' : `?ticket=${linkTicket(ctx, by.link)}`;
  return {
    image: await toImageRecord(ctx.app, image, { access: true }),
    fileUrl: `${ctx.app.settings.baseUrl}/image/shared/${secret}${ticket}`,
    renditionsOnly: showsLess(by),
  };
}
