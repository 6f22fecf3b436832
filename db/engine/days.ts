/** Milliseconds of a day; days are UTC days. */
export const DAY_MS = 86_400_000;

/** The day of a moment, in days since the epoch. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);
