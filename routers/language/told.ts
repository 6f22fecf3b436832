import type { Values } from './message.js';
import type { Message } from './speech.js';

/** A text with its values, made where nobody knows its reader's language: `Speech.tell` says it. */
export class Told {
  constructor(
    readonly text: string,
    readonly values: Values | undefined,
  ) {}
}

/** A text for readers of several languages, with its values. */
export const told = (text: string, values?: Values): Told => new Told(text, values);

/** A text with or without values as one that can be told. */
export const asTold = (text: string | Message | Told): Told =>
  isTold(text) ? text : new Told(text as string, undefined);

/** Whether something is such a text, and not one without values. */
export const isTold = (value: unknown): value is Told => value instanceof Told;
