/** Pictures of screens with known words, as people share them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from '../root.js';

const LANGUAGES = ['eng', 'deu', 'ces'] as const;
export type ScreenLanguage = (typeof LANGUAGES)[number];
const FONTS = ['DejaVu Sans', 'DejaVu Serif', 'Liberation Sans', 'Liberation Serif', 'Liberation Mono'];
const WIDTH = 1440;
const HEIGHT = 900;
const WORD = /(?<![\p{L}\p{N}])\p{L}{2,}(?![\p{L}\p{N}])/gu;

const catalogue = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(ROOT, 'routers', 'base', 'language', 'texts', `${name}.json`), 'utf8'));
const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);
const wordsOf = (texts: readonly string[]): readonly string[] => [
  ...new Set(
    texts
      .join(' ')
      .replace(/\{[^}]*\}/g, ' ')
      .match(WORD),
  ),
];

/** The words of our own pages, which real people read in real sentences. */
const WORDS: Readonly<Record<ScreenLanguage, readonly string[]>> = {
  eng: wordsOf(Object.keys(catalogue('de'))),
  deu: wordsOf(textsIn(catalogue('de'))),
  ces: wordsOf(textsIn(catalogue('cs'))),
};

/** A picture of a screen. */
export interface Screen {
  readonly about: string;
  readonly language: ScreenLanguage;
  readonly words: readonly string[];
  readonly png: Buffer;
}

/** The `index`th screen: languages, fonts, light and dark, 1x and 2x take turns. */
export async function screen(index: number, count = 300): Promise<Screen> {
  const language = LANGUAGES[index % 3] ?? 'eng';
  const font = FONTS[index % 5] ?? 'sans';
  const isDark = index % 2 === 1;
  const scale = 1 + (Math.floor(index / 2) % 2);
  const size = 13 + (index % 4);
  let state = index + 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const all = WORDS[language];
  const words = Array.from({ length: count }, () => all[Math.floor(random() * all.length)] ?? '');
  const perLine = Math.floor((WIDTH - 60) / (size * 0.62));
  const lines: string[] = [''];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 1 > perLine) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  const [ground, ink] = isDark ? ['#1e1e1e', '#d4d4d4'] : ['#ffffff', '#222222'];
  const rows = lines.map(
    (line, row) => `<text x="30" y="${40 + Math.round(size * 1.6) * row}">${line}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH * scale}" height="${HEIGHT * scale}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><rect width="100%" height="100%" fill="${ground}"/><g font-family="${font}" font-size="${size}" fill="${ink}">${rows.join('')}</g></svg>`;
  return {
    about: `${language}, ${font}, ${isDark ? 'dark' : 'light'}, ${scale}x, ${size}px`,
    ...{ language, words },
    png: await sharp(Buffer.from(svg)).png().toBuffer(),
  };
}

const plain = (word: string): string => word.normalize('NFC').toLowerCase();

/** The share of the words that were read, each as often as it is there. */
export function recall(words: readonly string[], read: string): number {
  const left = new Map<string, number>();
  for (const [word] of read.matchAll(/[\p{L}\p{N}]+/gu))
    left.set(plain(word), (left.get(plain(word)) ?? 0) + 1);
  let found = 0;
  for (const word of words.map(plain)) {
    const count = left.get(word) ?? 0;
    if (count > 0) found += 1;
    left.set(word, count - 1);
  }
  return found / words.length;
}
