import { MAX_FRAME_PIXELS } from '../../../../routers/base/ports/media/pixels.js';

/** Larger pictures are refused; this limits the time of all further steps. */
export const MAX_PIXELS = 250_000_000;
/** What the pixels of a picture may need while it is decoded; a child process may have a little more. */
const MAX_DECODING_BYTES = 900_000_000;
/** A picture of more than `MAX_FRAME_PIXELS` with fewer bytes is no photograph, but may cost as much as one. */
const PIXELS_PER_BYTE = 500;
/** Decoders that need this much memory are limited by it; their formats code plain areas with hardly any bytes. */
const MUCH_PER_PIXEL = 5;

/** Throws if a picture is too large to be decoded in a child process. `bytesPerPixel` is what its decoder needs. */
export function requireBearable(pixels: number, fileSize: number, bytesPerPixel: number | null): void {
  const limit = bytesPerPixel === null ? MAX_FRAME_PIXELS : MAX_PIXELS;
  if (pixels > limit) throw new Error(`more than ${limit / 1_000_000} megapixels`);
  if (pixels <= MAX_FRAME_PIXELS) return;
  const demand = bytesPerPixel ?? 0;
  if (pixels * demand > MAX_DECODING_BYTES) throw new Error('too much memory needed');
  if (demand < MUCH_PER_PIXEL && pixels > fileSize * PIXELS_PER_BYTE)
    throw new Error('too many pixels for so few bytes');
}
