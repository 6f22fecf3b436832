/** Available rendition widths in pixels, ascending. */
export const LADDER = [160, 320, 640, 960, 1280, 1920, 2560];
const MAX_WIDTH = 2560;
/** The maximum height of a WebP. */
const MAX_HEIGHT = 16_383;

/** How a picture becomes the largest rendition. */
export const MAX_SIZE = {
  width: MAX_WIDTH,
  height: MAX_HEIGHT,
  fit: 'inside',
  withoutEnlargement: true,
} as const;

/** The wanted width rounded up to the next step; without one, the widest. */
export const ladderWidth = (width: number | null): number =>
  width === null ? MAX_WIDTH : (LADDER.find((step) => step >= width) ?? MAX_WIDTH);
