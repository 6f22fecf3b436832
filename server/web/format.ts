import { sizeWith } from '../../routers/base/embed.js';
import { currentLanguage, t } from '../../routers/base/language/i18n.js';
import { numbersOf } from '../../routers/base/language/message.js';

/** What is made once for each language, because making it is slow. */
function inEach<T>(make: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const language = currentLanguage();
    const known = made.get(language) ?? make(language === 'en' ? 'en-GB' : language);
    made.set(language, known);
    return known;
  };
}

const dateTimes = inEach(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'UTC',
    }),
);
const dates = inEach(
  (locale) =>
    new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
);
const months = inEach(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);
const monthNames = inEach((locale) => new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' }));
const sizes = inEach(
  (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false }),
);
const languages = inEach((locale) => new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' }));
const choices = inEach((locale) => new Intl.ListFormat(locale, { type: 'disjunction' }));
const countries = inEach((locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }));

/** Whole numbers with separators: `12,345`. */
export const count = (value: number): string => numbersOf(currentLanguage()).format(value);

/** A country by its code of two letters: `Slovakia`. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries().of(code) ?? code) : code;
}

/** A language by its code: `Brazilian Portuguese`. */
export const languageName = (tag: string): string => languages().of(tag) ?? tag;

/** One of several: `Slovakia, Austria or Poland`. */
export const oneOf = (names: readonly string[]): string => choices().format(names);

/** A size for display: `3.2 MB`. */
export const fileSize = (bytes: number): string => sizeWith(bytes, (value) => sizes().format(value));

/** How often something was used, and how often it may be: `3 of 10`; without a limit `3`. */
export const ofLimit = (used: number, limit: number | null | undefined): string =>
  limit ? t('{used} of {limit}', { used: count(used), limit: count(limit) }) : count(used);

/** A time in UTC for display: `21 Nov 2026, 07:50 UTC`. */
export function moment(iso: string): string {
  return t('{time} UTC', { time: dateTimes().format(new Date(iso)) });
}

/** A UTC day for display: `21 Nov 2026`. */
export function dateWords(day: string): string {
  return dates().format(new Date(day));
}

/** The month of a time in UTC for display: `November 2026`. */
export const monthWords = (iso: string): string => months().format(new Date(iso));

/** The same without the year: `Nov`. */
export const monthShort = (iso: string): string => monthNames().format(new Date(iso));

/** A time rounded up to the full minute, in UTC for display: `07:50 UTC`. */
export function clock(at: number): string {
  const time = new Date(Math.ceil(at / 60_000) * 60_000).toISOString().slice(11, 16);
  return t('{time} UTC', { time });
}

/** The length of a video or audio file: `1:05`, `1:02:03`. */
export function duration(milliseconds: number): string {
  const total = Math.round(milliseconds / 1000);
  const parts = [Math.floor(total / 60) % 60, total % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(total / 3600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : `${Number(parts[0])}:${parts[1]}`;
}

const DAY_MS = 24 * 3600 * 1000;

/** The UTC day that was this many days ago, as `2026-01-31`. */
export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** What becomes of something that its owner deletes, by the days for which the trash keeps it. */
export const whetherRestorable = (days: number): string =>
  days === 0
    ? t('This cannot be undone.')
    : t('It can be restored from the trash for {days, plural, one {# day} other {# days}}.', { days });

/** An address as people read it: without `https://`. */
export const bareUrl = (url: string): string => url.replace(/^https?:\/\//, '');
