import { acceptedLanguage, type Language } from './languages.js';
import { isLocalizable, type Localizable } from './localizable.js';
import { formatted, type Message, pieces, type Values } from './message.js';

/** Translations by their English text, or by `context|text` where one English text means several things. */
type Catalogue = Readonly<Record<string, string>>;

/** Texts in one language. */
export interface I18n {
  readonly language: Language;
  /** A text of the sources, which is English, with its values. */
  t(text: string, values?: Values): string;
  /** As `t`, for a text that means something else in another place: `context` says which. */
  tc(context: string, text: string, values?: Values): string;
  /** A text from a constant, marked by `msg` or `msgc`. */
  translateMessage(message: Message, values?: Values): string;
  /** What was made by `localizable`; a text that no catalogue knows stays as it is. */
  translate(localizable: Localizable): string;
  /** A text with elements in it: each is the value of a placeholder, or a function for a tag. */
  rich<T>(text: string, values: Values<T>): (string | T)[];
}

function i18nIn(language: Language, texts: Catalogue | null): I18n {
  const lookUp = (key: string): string | undefined =>
    texts !== null && Object.hasOwn(texts, key) ? texts[key] : undefined;
  const translateMessage = (text: string, found: string | undefined, values: Values | undefined): string => {
    if (values === undefined) return found ?? text;
    return found === undefined ? formatted(text, values, 'en') : formatted(found, values, language);
  };
  const translate = ({ text, values }: Localizable): string => {
    const given =
      values &&
      Object.entries(values).map(([name, value]) => [name, isLocalizable(value) ? translate(value) : value]);
    return translateMessage(text, lookUp(text), given && Object.fromEntries(given));
  };
  return {
    language,
    t: (text, values) => translateMessage(text, lookUp(text), values),
    tc: (context, text, values) => translateMessage(text, lookUp(`${context}|${text}`), values),
    translate,
    translateMessage: (message, values) =>
      translateMessage(textOfKey(keyOf(message)), lookUp(keyOf(message)), values),
    rich: (text, values) => {
      const found = lookUp(text);
      return found === undefined ? pieces(text, values, 'en') : pieces(found, values, language);
    },
  };
}

/** English, which is in the sources and needs no catalogue. */
export const ENGLISH = i18nIn('en', null);

const load: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly default: Catalogue }>>> = {
  cs: () => import('./texts/cs.json', { with: { type: 'json' } }),
  de: () => import('./texts/de.json', { with: { type: 'json' } }),
  pl: () => import('./texts/pl.json', { with: { type: 'json' } }),
  ru: () => import('./texts/ru.json', { with: { type: 'json' } }),
  sk: () => import('./texts/sk.json', { with: { type: 'json' } }),
  uk: () => import('./texts/uk.json', { with: { type: 'json' } }),
};

const loaded = new Map<Language, Promise<I18n>>([['en', Promise.resolve(ENGLISH)]]);

/** The texts of a language; its catalogue is read for the first who needs it. */
export function i18nOf(language: Language): Promise<I18n> {
  const known = loaded.get(language);
  if (known !== undefined || language === 'en') return known ?? Promise.resolve(ENGLISH);
  const i18n = load[language]().then((catalogue) => i18nIn(language, catalogue.default));
  loaded.set(language, i18n);
  return i18n;
}

/** The language of a reader: the one chosen, else the best one asked for, else that of the installation. */
export const languageFor = (chosen: Language | null, header: string | null, otherwise: Language): Language =>
  chosen ?? acceptedLanguage(header) ?? otherwise;

/**
 * The texts for an answer of the API: people read those to a request without a key, in the language that it asks for, but
 * programs those to one with a key.
 */
export const i18nForAnswer = (header: string | null, hasKey: boolean): Promise<I18n> =>
  i18nOf((hasKey ? null : acceptedLanguage(header)) ?? 'en');

let current: I18n = ENGLISH;

/** Makes something in this language, such as the HTML of a page; synchronous, so that nothing else gets between. */
export function translating<T>(i18n: I18n, work: () => T): T {
  const before = current;
  current = i18n;
  try {
    return work();
  } finally {
    current = before;
  }
}

/** The language of what is being made: of the page inside `translating`, English elsewhere. */
export const currentLanguage = (): Language => current.language;

/** Marks a text of a constant, to be said later by `translateMessage`. */
export const msg = (text: string): Message => text as unknown as Message;

/** As `msg`, for a text that means something else in another place: `context` says which. */
export const msgc = (context: string, text: string): Message => msg(`${context}|${text}`);

const keyOf = (message: Message): string => message as unknown as string;

/** The text of a key, without its context. */
const textOfKey = (key: string): string => key.replace(/^[a-z][a-z ]*\|/, '');

/** `I18n.t` in the language of what is being made. Outside of that (in handlers) take `site.t`. */
export const t = (text: string, values?: Values): string => current.t(text, values);

/** `I18n.tc` in the language of what is being made. */
export const tc = (context: string, text: string, values?: Values): string =>
  current.tc(context, text, values);

/** `I18n.translateMessage` in the language of what is being made. */
export const translateMessage = (message: Message, values?: Values): string =>
  current.translateMessage(message, values);

/** `I18n.translate` in the language of what is being made. */
export const translate = (localizable: Localizable): string => current.translate(localizable);

/** `I18n.rich` in the language of what is being made; pages take that of `server/web/rich.ts`. */
export const richly = <T>(text: string, values: Values<T>): (string | T)[] => current.rich(text, values);
