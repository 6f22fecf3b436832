import type { MediaFacts } from './media.js';

/** Larger frames of videos are refused, and larger pictures in formats whose decoders need an unknown amount of memory. */
export const MAX_FRAME_PIXELS = 50_000_000;

/** The number of pixels of a picture; 0 if its size is not known. */
export const pixelsOf = ({ width, height }: Pick<MediaFacts, 'width' | 'height'>): number =>
  (width ?? 0) * (height ?? 0);
