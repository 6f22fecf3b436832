import { z } from 'zod';
import type { Image } from '../../../db/content/file/image.js';
import { embedSettings, embedSettingsOf } from '../../base/embed-settings.js';
import { METADATA_STATES } from '../../base/ports/media/media.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { accountOf } from '../../core/accounts/people.js';
import { summarise, userSummary } from '../../core/accounts/user-summary.js';
import type { Services } from '../../core/context.js';
import { isRareFormat } from '../../core/items/file-names.js';
import { urlSet, urlSetOf } from '../../core/items/links.js';
import { revisionFields, revisionOf } from '../../core/items/revision.js';
import { sealRecord, sealShown } from '../../core/items/seal.js';

/** An image, video, audio or other file in the API (contract §3, Image record). */
export const imageRecord = z.object({
  uniqueId: z.string(),
  type: z.string(),
  description: z.string().nullable(),
  size: z.int().nullable(),
  uploadedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  urlSet,
  uploader: userSummary,
  requiresPassword: z.boolean(),
  isPublic: z.boolean(),
  location: z.enum(['LOCAL', 'S3']),
  webhookSettings: embedSettings.nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  durationMs: z.int().nullable(),
  /** Whether it has more than one frame, as far as its container says. */
  animated: z.boolean().nullable(),
  /** What became of camera and location data; null if that is not known, or for what is no medium. */
  metadata: z.enum(METADATA_STATES).nullable(),
  mimeType: z.string(),
  sha256: z.string().nullable(),
  thumbhash: z.string().nullable(),
  /** Whether the server can make renditions of an image; null if it has not tried yet, and for other files. */
  renderable: z.boolean().nullable(),
  originalName: z.string().nullable(),
  ...sealRecord,
  views: z.int().nullable(),
  maxViews: z.int().nullable(),
  /** Why only its owner and moderators can see it; null for other items. */
  quarantine: z.string().nullable(),
  ...revisionFields,
});
export type ImageRecord = z.output<typeof imageRecord>;

/** What has been tried tells: the placeholder, which needs the decoded picture, or any rendition. */
async function isRenderable(app: Services, image: Image): Promise<boolean | null> {
  if (image.mediaKind !== 'image') return null;
  if (image.thumbhash !== null) return true;
  return (await app.load.impossible(image.sha256)) === null ? null : false;
}

/**
 * Builds the record. Without access, every field that reveals the content is null (contract §5); `own` adds what only
 * its owner sees, `counted` how often it was opened, which administrators see, too.
 */
export async function toImageRecord(
  app: Services,
  image: Image,
  options: {
    readonly access: boolean;
    readonly creator?: boolean;
    readonly own?: boolean;
    readonly counted?: boolean;
  },
): Promise<ImageRecord> {
  const owner = await accountOf(app, image.ownerId);
  const seen = options.access;
  const own = options.own === true || options.creator === true;
  return {
    uniqueId: image.uniqueId,
    type: image.type,
    description: seen ? image.description : null,
    size: seen ? image.size : null,
    uploadedAt: iso(image.createdAt),
    expiresAt: isoOrNull(image.expiresAt),
    urlSet: await urlSetOf(app, 'image', image, owner, {
      hasPoster: seen && image.posterSha256 !== null,
      creator: options.creator === true,
      type: image.type,
      asJpeg: isRareFormat(image.type),
    }),
    uploader: await summarise(app, owner),
    requiresPassword: image.passwordHash !== null,
    isPublic: image.isPublic,
    location: image.location,
    webhookSettings: seen ? embedSettingsOf(owner) : null,
    width: seen ? image.width : null,
    height: seen ? image.height : null,
    durationMs: seen ? image.durationMs : null,
    animated: seen ? image.animated : null,
    metadata: seen ? image.metadata : null,
    mimeType: image.mimeType,
    sha256: seen ? image.sha256 : null,
    thumbhash: seen ? image.thumbhash : null,
    renderable: seen ? await isRenderable(app, image) : null,
    originalName: seen ? image.originalName : null,
    views: image.maxViews !== null ? image.views : own || options.counted === true ? image.opened : null,
    maxViews: image.maxViews,
    quarantine: image.quarantine,
    ...sealShown(image.seal, seen),
    ...(await revisionOf(app, 'image', image, own)),
  };
}
