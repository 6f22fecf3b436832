import { readIfd, readLayout, readTag, TAG } from '../../ifd.js';
import type { ByteSource } from '../../source.js';
import { type Details, displayed, type Hints } from '../format.js';
import { readRaw } from './raw.js';

/**
 * Whether these are the first bytes of a TIFF structure. Many cameras' raw photos also start like this, those of
 * Panasonic and Olympus with a magic number of their own.
 */
export const isTiff = (head: Buffer) =>
  head.length >= 8 && /^(II[*+]\0|MM\0[*+]|IIU\0|IIR[OS]|MMOR)/.test(head.toString('latin1', 0, 4));

/** Dimensions of the first image of a TIFF, or the type of a raw photograph and the dimensions of its largest one. */
export async function readTiff(source: ByteSource, { name }: Hints): Promise<Details> {
  const raw = await readRaw(source, name);
  if (raw !== null) return raw;
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

/** The memory for each pixel: a TIFF is decoded strip by strip, and one strip may hold everything. */
export async function tiffDemand(source: ByteSource): Promise<number> {
  const layout = await readLayout(source);
  const ifd = layout === null ? null : await readIfd(source, layout, layout.firstIfd);
  if (layout === null || ifd === null) return 8;
  const height = (await readTag(source, layout, ifd, TAG.height)) ?? 1;
  const rows = (await readTag(source, layout, ifd, TAG.rowsPerStrip)) ?? height;
  return (8 * Math.min(rows, height)) / height;
}
