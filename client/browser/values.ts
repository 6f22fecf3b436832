/** Texts with values, and sizes; apart from `i18n.ts`, because the script of every page needs none of them. */
import { sizeWith } from '../../routers/base/embed.js';
import { formatted, type Values } from '../../routers/base/language/message.js';
import { language, locale, translated } from './speech.js';

/** As `t`, with values: `tv('{n, plural, one {# file} other {# files}}', { n })`. */
export function tv(text: string, values: Values): string {
  const found = translated(text);
  return found === undefined ? formatted(text, values, 'en') : formatted(found, values, language);
}

const sizes = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false });

/** A size as its reader writes it: `3.2 MB`. */
export const fileSize = (bytes: number): string => sizeWith(bytes, (value) => sizes.format(value));
