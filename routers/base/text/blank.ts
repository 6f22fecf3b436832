type Blank = undefined | null | '' | 'null' | 'undefined';

/** Whether a field was left empty: absent, empty, or the word that a front-end script made of null or undefined. */
export const isBlank = (value: unknown): value is Blank =>
  value === undefined || value === null || value === '' || value === 'null' || value === 'undefined';
