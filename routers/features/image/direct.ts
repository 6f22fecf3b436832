import type { Image } from '../../../db/content/file/image.js';
import { isExpired } from '../../../db/content/life.js';
import { isOpen } from '../../core/access.js';
import type { Services } from '../../core/context.js';
import { dispositionHeader } from '../../core/items/file-names.js';

/** How long a presigned content URL is valid, in seconds. */
const LIFE_SECONDS = 300;

/**
 * With S3_REDIRECT, the URL at which the object store serves these bytes, with fixed type and disposition;
 * null if this server sends them. Only for content that stays open to everybody for the URL's whole lifetime
 * (contract §5).
 */
export async function directUrl(
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
