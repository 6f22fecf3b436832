import { z } from 'zod';

/** A list that is too long to be held: its entries are made while it is sent. */
export class Lines {
  constructor(
    readonly format: 'csv' | 'json',
    /** The name of the file, with its extension. */
    readonly filename: string,
    /** Lines of CSV with their line breaks, or entries as JSON. */
    readonly each: () => AsyncGenerator<string>,
  ) {}

  /** Only the REST interface sends it. */
  toJSON(): null {
    return null;
  }
}

/** Such a list as the output of a procedure. */
export const linesOutput = z.custom<Lines>((value) => value instanceof Lines);

/** The wanted format of a list. */
export const formatInput = z
  .string()
  .nullish()
  .transform((value) => (value || 'json').toLowerCase())
  .pipe(z.enum(['csv', 'json'], { error: 'use csv or json' }));
