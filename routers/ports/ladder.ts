/** Available rendition widths in pixels, ascending. */
export const LADDER = [160, 320, 640, 960, 1280, 1920, 2560];
const WIDEST = 2560;
/** The maximum height of a WebP. */
const TALLEST = 16_383;

/** How a picture becomes the largest rendition. */
export const LARGEST = { width: WIDEST, height: TALLEST, fit: 'inside', withoutEnlargement: true } as const;

/** The wanted width rounded up to the next step; without one, the widest. */
export const ladderWidth = (width: number | null): number =>
  width === null ? WIDEST : (LADDER.find((step) => step >= width) ?? WIDEST);
