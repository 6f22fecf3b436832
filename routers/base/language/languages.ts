/** The languages of pages; English is that of the sources. */
export const LANGUAGES = ['en', 'cs', 'de', 'pl', 'ru', 'sk', 'uk'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language in its own words, for the setting. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  cs: 'Čeština',
  de: 'Deutsch',
  pl: 'Polski',
  ru: 'Русский',
  sk: 'Slovenčina',
  uk: 'Українська',
};

/** The language of this name; null for any other text. */
export const languageNamed = (name: string | null): Language | null =>
  LANGUAGES.find((language) => language === name) ?? null;

/** More ranges than any browser sends. */
const MAX_RANGES = 40;

/** The best of our languages by an `Accept-Language` header; null if it wants none of them, or anything. */
export function acceptedLanguage(header: string | null): Language | null {
  if (header === null || header === '') return null;
  let best: Language | null = null;
  let weight = 0;
  for (const range of header.split(',', MAX_RANGES)) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const language = languageNamed(tag.split('-', 1)[0] ?? '');
    const quality = qualityOf(parameters);
    if (language === null || quality <= weight) continue;
    best = language;
    weight = quality;
  }
  return best;
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  if (given === undefined) return 1;
  const quality = Number(given.slice(2));
  return quality >= 0 && quality <= 1 ? quality : 0;
}
