/**
 * How texts become words: one form for what is indexed and what is searched for, the same on both databases. Letters
 * count in any case and script; everything else but digits separates words.
 */

/** Scripts that are written without spaces: each character is a word, so that a part of a sentence is found. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** A private character as a word of its own: no phrase reaches from one text of an item into the next. */
const BORDER = '\u{E000}';

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** A text in the form in which words are compared; it still has what separates them. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // By way of capitals, because some letters have several small forms: ß and ss, ς and σ.
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return folded.replace(UNSPACED, ' $& ');
}

/** The words of a folded text, in order. */
export const wordsOf = (folded: string): string[] => folded.match(WORD) ?? [];

/** Several texts of an item as one folded text; missing ones are left out. */
export const foldTexts = (texts: readonly (string | null)[]): string =>
  texts
    .filter((text) => text !== null && text !== '')
    .map((text) => foldText(text ?? ''))
    .join(` ${BORDER} `);

/** The words of what `foldTexts` returns, with a border as a word between the texts. */
export const borderedWordsOf = (folded: string): string[] =>
  folded.match(/[\p{L}\p{N}\p{M}\u{E000}]+/gu) ?? [];
