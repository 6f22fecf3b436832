/** Larger pictures and frames are refused: this bounds the memory and time of everything that follows. */
export const MAX_PIXELS = 50_000_000;
