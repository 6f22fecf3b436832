/** The files with the translations, one a language. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '../../../routers/base/language/languages.js';
import { ROOT } from '../root.js';

/** The languages that have catalogues: all but that of the sources. */
export const TRANSLATED = LANGUAGES.filter((language) => language !== 'en');

/** The file of a catalogue, from the root of the project. */
export const catalogueFile = (language: Language): string => `routers/base/language/texts/${language}.json`;

/** A catalogue as it is. */
export const readCatalogue = (language: Language): Record<string, string> =>
  JSON.parse(readFileSync(join(ROOT, catalogueFile(language)), 'utf8'));

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A catalogue as its file has it: sorted, one text a line. */
export const written = (texts: Readonly<Record<string, string>>): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(texts).sort(([a], [b]) => inOrder(a, b))), null, 2)}\n`;

/** Writes a catalogue. */
export const writeCatalogue = (language: Language, texts: Readonly<Record<string, string>>): void =>
  writeFileSync(join(ROOT, catalogueFile(language)), written(texts));
