/** Widths in pixels that renditions come in. */
const LADDER = [160, 320, 640, 960, 1280, 1920, 2560];
const WIDEST = 2560;

/** The step of the ladder that a wanted width is rounded up to; without one, the widest. */
export const ladderWidth = (width: number | null): number =>
  width === null ? WIDEST : (LADDER.find((step) => step >= width) ?? WIDEST);
