import type { MediaFacts } from '../../../routers/base/ports/media/media.js';

/** The largest value of a width or height column in any supported database. */
const MAX_SIDE = 2 ** 31 - 1;

/**
 * Drops impossible numbers: a header can contain anything, and no record could hold such a number. Width and height
 * are only kept together.
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
