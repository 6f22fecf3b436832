import type { Grey, ReadWord } from './recogniser.js';

/** What a model is less sure of is read by the others, too. */
const DOUBTFUL = 91;
/** By how many percent another one has to be surer. */
const CLEARLY = 2;
const MAX_DOUBTFUL = 1_000;
/** White around each word, and how wide a row of them is. */
const SPACE = { x: 24, y: 8, row: 2_400 };
/** Pixels that all rows may be high: what a model takes for words in noise may be as large as the picture. */
const MAX_HEIGHT = 4_000;

interface Placed {
  readonly word: ReadWord;
  /** Rows of the picture that its line takes. */
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  /** Where it is among the others. */
  readonly x: number;
  readonly y: number;
}

/** The words of which a model is not sure, one after another in rows. */
function gathered(grey: Grey, words: readonly ReadWord[]): { grey: Grey; placed: readonly Placed[] } | null {
  const lines = new Map<string, { top: number; bottom: number }>();
  for (const { line, y, height } of words) {
    const known = lines.get(line) ?? { top: y, bottom: y + height };
    lines.set(line, { top: Math.min(known.top, y), bottom: Math.max(known.bottom, y + height) });
  }
  const doubtful = words
    .filter(({ confidence, width }) => confidence < DOUBTFUL && width <= SPACE.row)
    .slice(0, MAX_DOUBTFUL);
  const placed: Placed[] = [];
  let [x, y, row] = [SPACE.x, SPACE.y, 0];
  for (const word of doubtful) {
    const { top, bottom } = lines.get(word.line) ?? { top: word.y, bottom: word.y + word.height };
    const [left, right] = [Math.max(0, word.x - 2), Math.min(grey.width, word.x + word.width + 2)];
    if (x > SPACE.x && x + right - left + SPACE.x > SPACE.row) [x, y, row] = [SPACE.x, y + row + SPACE.y, 0];
    if (y + bottom - top > MAX_HEIGHT) continue;
    placed.push({ word, top, bottom, left, right, x, y });
    x += right - left + SPACE.x;
    row = Math.max(row, bottom - top);
  }
  if (placed.length === 0) return null;
  const width = Math.max(...placed.map((one) => one.x + one.right - one.left)) + SPACE.x;
  const height = y + row + SPACE.y;
  const pixels = Buffer.alloc(width * height, 255);
  for (const one of placed)
    for (let at = one.top; at < one.bottom; at += 1)
      grey.pixels.copy(
        pixels,
        (one.y + at - one.top) * width + one.x,
        at * grey.width + one.left,
        at * grey.width + one.right,
      );
  return { grey: { pixels, width, height }, placed };
}

/**
 * Words as the surest of several models reads them: `read` reads a block of text by another model. A picture in one
 * language has few words of which its model is not sure.
 */
export async function repaired(
  grey: Grey,
  words: readonly ReadWord[],
  others: readonly string[],
  read: (grey: Grey, language: string) => Promise<ReadWord[]>,
): Promise<readonly ReadWord[]> {
  const doubtful = others.length === 0 ? null : gathered(grey, words);
  if (doubtful === null) return words;
  const better = new Map<ReadWord, ReadWord>();
  for (const language of others) {
    const again = await read(doubtful.grey, language);
    for (const { word, x, y, left, right, top, bottom } of doubtful.placed) {
      const [middle, end] = [(x0: ReadWord) => x0.x + x0.width / 2, x + right - left];
      const parts = again.filter(
        (one) =>
          middle(one) >= x &&
          middle(one) <= end &&
          one.y + one.height / 2 >= y &&
          one.y + one.height / 2 <= y + bottom - top,
      );
      if (parts.length === 0) continue;
      const confidence = Math.min(...parts.map((part) => part.confidence));
      const present = better.get(word) ?? word;
      if (confidence > present.confidence + CLEARLY)
        better.set(word, { ...word, confidence, text: parts.map(({ text }) => text).join('') });
    }
  }
  return words.map((word) => better.get(word) ?? word);
}
