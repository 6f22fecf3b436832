import { type Term, termsOf } from './terms.js';
import { foldText, UNSPACED, WORD, wordsOf } from './words.js';

/** Characters of a snippet, and how many of them may stand in front of the first word that was found. */
const LENGTH = 200;
const BEFORE = 60;

/** A stretch of a text, and where in it the words are that were searched for: pairs of beginning and end. */
interface Snippet {
  readonly text: string;
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** A word as it is compared, and where it is in the text. */
interface Place {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text one after another; of scripts without spaces each character is one. */
function* placesOf(text: string): Generator<Place> {
  for (const { 0: whole, index } of text.matchAll(WORD)) {
    let at = 0;
    for (const cut of [...whole.matchAll(UNSPACED)].flatMap((one) => [
      one.index,
      one.index + one[0].length,
    ])) {
      if (cut > at) yield* wordsAt(whole.slice(at, cut), index + at);
      at = cut;
    }
    if (at < whole.length) yield* wordsAt(whole.slice(at), index + at);
  }
}

/** A single letter may be several words in the form in which they are compared. */
function* wordsAt(piece: string, start: number): Generator<Place> {
  for (const word of wordsOf(foldText(piece))) yield { word, start, end: start + piece.length };
}

/** Whether the last places are what a term asks for. */
const endsWith = (places: readonly Place[], { words, prefix }: Term): boolean => {
  const from = places.length - words.length;
  return (
    from >= 0 &&
    words.every((word, index) => {
      const there = places[from + index]?.word;
      return prefix && index === words.length - 1 ? there?.startsWith(word) === true : there === word;
    })
  );
};

/** Adds a stretch to others that end before it does; those that it touches become one with it. */
function mark(found: [number, number][], start: number, end: number): void {
  let from = start;
  for (let last = found.at(-1); last !== undefined && last[1] >= from; last = found.at(-1)) {
    from = Math.min(from, last[0]);
    found.pop();
  }
  found.push([from, end]);
}

/**
 * The stretch of a text around the first thing that a search asks for, in which only what it asks for is marked; null if
 * nothing of it is there.
 */
export const snippetOf = (text: string, search: string): Snippet | null => snippetsFor(search)(text);

/** As `snippetOf`, for a search of many texts. */
export function snippetsFor(search: string): (text: string) => Snippet | null {
  const wanted = termsOf(search).filter(({ excluded }) => !excluded);
  const longest = Math.max(0, ...wanted.map(({ words }) => words.length));
  return (text) => around(text, wanted, longest);
}

function around(text: string, wanted: readonly Term[], longest: number): Snippet | null {
  const found: [number, number][] = [];
  const last: Place[] = [];
  for (const place of placesOf(text)) {
    const [first] = found;
    if (first !== undefined && place.start > first[0] + LENGTH) break;
    last.push(place);
    if (last.length > longest) last.shift();
    for (const term of wanted)
      if (endsWith(last, term)) mark(found, last.at(-term.words.length)?.start ?? place.start, place.end);
  }
  const first = found[0]?.[0];
  if (first === undefined) return null;
  const start = beginning(text, Math.max(0, first - BEFORE));
  const end = Math.min(text.length, start + LENGTH);
  const cut = text.slice(start, end).replace(/[\ud800-\udbff]$/, '');
  const head = start > 0 ? '… ' : '';
  const shift = (place: number) => Math.min(place, end) - start + head.length;
  return {
    text: `${head}${cut.replace(/\s/g, ' ')}${end < text.length ? ' …' : ''}`,
    marks: found.filter(([from]) => from < end).map(([from, to]) => [shift(from), shift(to)]),
  };
}

/** The next place where a word may begin, so that none is shown in half. */
function beginning(text: string, from: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, from + BEFORE).search(/\s/);
  if (space >= 0) return from + space + 1;
  // Not in the middle of a character that takes two.
  return /^[\udc00-\udfff]/.test(text.slice(from, from + 1)) ? from + 1 : from;
}
