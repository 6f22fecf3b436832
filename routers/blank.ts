type Blank = undefined | null | '' | 'null' | 'undefined';

/** Whether a field is one that nobody filled: absent, empty, or the word that a script of a front end made of nothing. */
export const isBlank = (value: unknown): value is Blank =>
  value === undefined || value === null || value === '' || value === 'null' || value === 'undefined';
