import { ENGLISH } from './i18n.js';
import { type Localizable, type LocalizableValues, localizable } from './localizable.js';

/** By what they say in English: those with values, as many as the schemas have. */
const withValues = new Map<string, Localizable>();

/**
 * A text of a schema with its values, in English, which is what a schema can keep. Its values must not come from an input:
 * the text is remembered.
 */
export function rule(text: string, values: LocalizableValues = {}): string {
  const whole = localizable(text, values);
  const english = ENGLISH.translate(whole);
  withValues.set(english, whole);
  return english;
}

/** What a schema said in English, to be told in any language. */
export const localizableOfRule = (english: string): Localizable =>
  withValues.get(english) ?? localizable(english);
