import { foldText, wordsOf } from './words.js';

/** One thing that a search asks for: words that follow each other. */
export interface Term {
  readonly words: readonly string[];
  /** Whether the last word may go on. */
  readonly prefix: boolean;
  /** Whether items that have it are left out. */
  readonly excluded: boolean;
}

/**
 * What a person asks for: words from their beginnings, `"words in order"`, and `-` in front of what may not occur.
 * Terms without letters or digits are left out; a text of nothing else asks for nothing, and finds nothing.
 */
export function termsOf(text: string): readonly Term[] {
  const terms: Term[] = [];
  const plain = text.replace(/[“”„«»]/g, '"');
  for (const [, minus, quoted, bare] of plain.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)) {
    const words = wordsOf(foldText(quoted ?? bare ?? ''));
    if (words.length > 0) terms.push({ words, prefix: quoted === undefined, excluded: minus === '-' });
  }
  return terms;
}

/** Whether these folded words, in order, have what a term asks for. */
export function occursIn(words: readonly string[], term: Term): boolean {
  const last = term.words.length - 1;
  return words.some((_, start) =>
    term.words.every((word, index) => {
      const there = words[start + index];
      return term.prefix && index === last ? there?.startsWith(word) === true : there === word;
    }),
  );
}
