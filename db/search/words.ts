/**
 * How texts become words: one form for what is indexed and what is searched for, the same on both databases. Letters
 * count in any case and script, with and without accents; everything else but digits separates words. What changes this
 * form needs a migration that has the index filled again (`0340_accents_of_searches`).
 */

/** Scripts that are written without spaces: each character is a word, so that a part of a sentence is found. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;

/** A word: letters, digits and their marks. */
export const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** A private character as a word of its own: no phrase reaches from one text of an item into the next. */
const BORDER = '\u{E000}';

/** What the Latin, Greek and Cyrillic scripts put above and below letters. Marks of other scripts change the word. */
const ACCENTS = /[\u0300-\u036f]+/g;

/** Small letters that may be plain ones with an accent. й, ї, ў, ѓ and ќ are letters of their own, and not among them. */
const ACCENTED = /[\u00df-\u024f\u0370-\u03ff\u0450\u0451\u045d\u1e00-\u1fff]/g;

/** Letters that stand for others, but not as these with an accent. */
const SPELLED: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ς: 'σ' },
};

/** What was asked of `plainLetter`, at most once for each of a thousand letters: texts have the same few many times. */
const plainLetters = new Map<string, string>();

/** A letter without its accents. */
function plainLetter(letter: string): string {
  const known = plainLetters.get(letter);
  if (known !== undefined) return known;
  const bare = letter.normalize('NFD').replace(ACCENTS, '');
  const plain = SPELLED[bare] ?? bare;
  plainLetters.set(letter, plain);
  return plain;
}

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** A text in the form in which words are compared; it still has what separates them. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  // By way of capitals, because some letters have several small forms: ß and ss, ı and i.
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase();
  return folded.replace(ACCENTED, plainLetter).replace(ACCENTS, '').replace(UNSPACED, ' $& ');
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
