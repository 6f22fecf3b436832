import { type Image, imageById } from '../../../db/content/file/image.js';
import { knownThumbhash, setThumbhash } from '../../../db/content/file/image-derived.js';
import { insertRendition, type RenditionName } from '../../../db/content/file/rendition.js';
import type { Services } from '../../core/context.js';

/** The hash of the bytes from which a placeholder is computed; null if there is no picture. */
export function pictureOf(image: Pick<Image, 'mediaKind' | 'sha256' | 'posterSha256'>): string | null {
  return image.mediaKind === 'image' ? image.sha256 : image.posterSha256;
}

/** The name under which it is recorded that a picture cannot be decoded even for its placeholder. */
const placeholderOf = (sourceSha256: string): RenditionName => ({
  sourceSha256,
  width: 0,
  format: 'thumbhash',
});

/** The job `thumbhash`: computes the placeholder of an image or of a video's poster. */
export async function makeThumbhash(app: Services, imageId: number): Promise<void> {
  const image = await imageById(app.db.read, imageId);
  const picture = image === null ? null : pictureOf(image);
  if (image === null || picture === null || image.thumbhash !== null) return;
  const thumbhash =
    (await knownThumbhash(app.db.read, image.sha256)) ??
    (await app.storage.blobs.lend(picture, (path) => app.media.thumbhash(path)));
  await app.db.write(async (trx) => {
    if (thumbhash !== null) await setThumbhash(trx, image, thumbhash);
    // Recorded with the renditions, and tried again like them: pages then offer a download instead of a picture.
    else if (picture === image.sha256)
      await insertRendition(app.db, trx, placeholderOf(picture), null, Date.now());
  });
}
