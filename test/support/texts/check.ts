/** What is wrong with a translation, and what is missing. */
import type { Language } from '../../../routers/base/language/languages.js';
import { MessageInvalid, namesIn } from '../../../routers/base/language/message.js';

/** The text of a key without its context. */
export const textOfKey = (key: string): string => {
  const [, context, text] = /^([a-z][a-z ]*)\|(.*)$/s.exec(key) ?? [];
  return context === undefined ? key : (text ?? key);
};

/** Why a translation cannot be said in the place of its text; null if it can. */
export function wrongWith(key: string, translation: string, language: Language): string | null {
  if (translation.trim() === '') return 'is empty';
  const text = textOfKey(key);
  if (/^\s/.test(text) !== /^\s/.test(translation) || /\s$/.test(text) !== /\s$/.test(translation))
    return 'begins or ends with a space where the text does not, or the other way';
  // Without values in it, a text is said as it is.
  if (!/[{<]/.test(text)) return /[{}]/.test(translation) ? 'has braces that the text does not have' : null;
  try {
    const names = [...namesIn(text)].sort();
    const given = [...namesIn(translation)].sort();
    if (names.join() !== given.join())
      return `has ${given.join(', ') || 'no values'}, the text ${names.join(', ')}`;
  } catch (error) {
    if (error instanceof MessageInvalid) return error.message;
    throw error;
  }
  return pluralsMissing(translation, language);
}

/** The forms that a language needs besides `other`; numbers with fractions, which are not counted here, are `other`. */
function pluralsMissing(translation: string, language: Language): string | null {
  const needed = new Set(Array.from({ length: 200 }, (_, n) => new Intl.PluralRules(language).select(n)));
  for (const [, body = ''] of translation.matchAll(/, plural,((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g)) {
    const forms = new Set(Array.from(body.matchAll(/(\w+)\s*\{/g), ([, form]) => form));
    const missing = [...needed].filter((form) => !forms.has(form));
    if (missing.length > 0) return `needs the plural ${missing.join(', ')}`;
  }
  return null;
}
