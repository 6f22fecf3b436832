import type { Message } from './i18n.js';
import type { Value } from './message.js';

/** The values of a text, by name: one that is such a text itself is told in the same language. */
export type ToldValues = Readonly<Record<string, Value | Told>>;

/** A text with its values, made where nobody knows its reader's language: `Speech.tell` says it. */
export class Told {
  constructor(
    readonly text: string,
    readonly values: ToldValues | undefined,
  ) {}
}

/** A text for readers of several languages, with its values. */
export const told = (text: string, values?: ToldValues): Told => new Told(text, values);

/** A text with or without values as one that can be told. */
export const asTold = (text: string | Message | Told): Told =>
  isTold(text) ? text : new Told(text as string, undefined);

/** Whether something is such a text, and not one without values. */
export const isTold = (value: unknown): value is Told => value instanceof Told;
