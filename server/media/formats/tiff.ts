import { readIfd, readLayout, readTag, TAG } from '../ifd.js';
import type { ByteSource } from '../source.js';
import { type Details, displayed, image } from './format.js';

export const TIFF = image('tif', 'image/tiff');

/** Whether these are the first bytes of a TIFF structure; many cameras' raw photos also start like this. */
export const isTiff = (head: Buffer) =>
  head.length >= 8 && /^(II[*+]\0|MM\0[*+])/.test(head.toString('latin1', 0, 4));

/** Dimensions of the first image of a TIFF. */
export async function readTiff(source: ByteSource): Promise<Details> {
  const layout = await readLayout(source);
  const ifd = layout === null ? null : await readIfd(source, layout, layout.firstIfd);
  if (layout === null || ifd === null) return {};
  const [width, height, orientation] = [
    await readTag(source, layout, ifd, TAG.width),
    await readTag(source, layout, ifd, TAG.height),
    await readTag(source, layout, ifd, TAG.orientation),
  ];
  return displayed(width ?? 0, height ?? 0, orientation ?? 1);
}
