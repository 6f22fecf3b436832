import type { MediaFacts } from '../../routers/ports/media.js';

/** The most pixels a side that a row of any database holds. */
const MAX_SIDE = 2 ** 31 - 1;

/**
 * Facts without the numbers that no file can mean: a header says what its writer likes, and no record could show
 * such a number. Width and height are known together or not at all.
 */
export function plausible(facts: MediaFacts): MediaFacts {
  const sized = isSide(facts.width) && isSide(facts.height);
  const timed = Number.isSafeInteger(facts.durationMs) && (facts.durationMs ?? -1) >= 0;
  return {
    ...facts,
    width: sized ? facts.width : null,
    height: sized ? facts.height : null,
    durationMs: timed ? facts.durationMs : null,
  };
}

const isSide = (pixels: number | null): boolean =>
  Number.isInteger(pixels) && (pixels ?? 0) > 0 && (pixels ?? 0) <= MAX_SIDE;
