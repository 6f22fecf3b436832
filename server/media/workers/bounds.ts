/** Larger pictures and frames are refused; this limits the memory and time of all further steps. */
export const MAX_PIXELS = 50_000_000;
