/** What the scripts say, in the language of their page (docs/languages.md). */

declare global {
  /** Translations by their English text, from the files that a page in another language loads before its scripts. */
  var holdallTexts: Readonly<Record<string, string>> | undefined;
}

/** The language of the page. */
export const language = document.documentElement.lang || 'en';

/** The locale of dates and sizes: the pages write them as in Britain. */
export const locale = language === 'en' ? 'en-GB' : language;

/** The translation of an English text; undefined if it has none, as in English. */
export const translated = (text: string): string | undefined => {
  const texts = globalThis.holdallTexts;
  return texts !== undefined && Object.hasOwn(texts, text) ? texts[text] : undefined;
};

/** A text of the scripts, which is English in the source. */
export const t = (text: string): string => translated(text) ?? text;
