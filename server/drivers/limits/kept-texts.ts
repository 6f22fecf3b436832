import type { KeptTexts } from '../../../routers/base/ports/sharing.js';

/** A text that takes a larger part of the room is not kept: it would push out too many others. */
const MAX_PART = 8;

/** Keeps texts with up to `maxChars` characters together, their keys included. */
export function createKeptTexts(maxChars: number): KeptTexts {
  /** In order of last use, oldest first. */
  const kept = new Map<string, { readonly text: string; readonly until: number }>();
  let chars = 0;

  function forget(key: string): void {
    const found = kept.get(key);
    if (found === undefined) return;
    chars -= key.length + found.text.length;
    kept.delete(key);
  }

  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return null;
      if (found.until <= performance.now()) {
        forget(key);
        return null;
      }
      kept.delete(key);
      kept.set(key, found);
      return found.text;
    },
    keep(key, text, forMs = Number.POSITIVE_INFINITY) {
      forget(key);
      if (key.length + text.length > maxChars / MAX_PART) return;
      kept.set(key, { text, until: performance.now() + forMs });
      chars += key.length + text.length;
      for (const oldest of kept.keys()) {
        if (chars <= maxChars) break;
        forget(oldest);
      }
    },
  };
}
