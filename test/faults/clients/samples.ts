import { zip } from '../../support/media/archive-fixtures.js';
import { jpegPhoto, pngPhoto } from '../../support/media/media-fixtures.js';

/** The number of images in `archive`. */
export const ARCHIVED = 3;

/** Files whose content the server examines. */
export interface Samples {
  readonly photos: readonly Buffer[];
  /** A zip of ARCHIVED images. */
  readonly archive: Buffer;
}

/** Creates the files, which takes a moment. */
export async function makeSamples(): Promise<Samples> {
  const photos = await Promise.all([jpegPhoto(6), jpegPhoto(3, 96, 64), jpegPhoto(1, 32, 32)]);
  const inside = [...photos.slice(1), await pngPhoto()];
  const entries = inside.map((data, index) => ({ name: `${index}.img`, data, stored: true }));
  return { photos, archive: zip(entries) };
}

/** A JPEG with its own comment: new bytes, which become identical once the comment is removed. */
export function withComment(jpeg: Buffer, comment: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(comment.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)]);
}
