import type { Message, Value } from './message.js';

/** The values of a text, by name: one that is such a text itself is told in the same language. */
export type LocalizableValues = Readonly<Record<string, Value | Localizable>>;

/** A text with its values, made where nobody knows its reader's language: `I18n.translate` says it. */
export class Localizable {
  constructor(
    readonly text: string,
    readonly values: LocalizableValues | undefined,
  ) {}
}

/** A text for readers of several languages, with its values. */
export const localizable = (text: string, values?: LocalizableValues): Localizable =>
  new Localizable(text, values);

/** A text with or without values as one that can be told. */
export const asLocalizable = (text: string | Message | Localizable): Localizable =>
  isLocalizable(text) ? text : new Localizable(text as string, undefined);

/** Whether something is such a text, and not one without values. */
export const isLocalizable = (value: unknown): value is Localizable => value instanceof Localizable;
