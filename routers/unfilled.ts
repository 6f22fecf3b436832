type Unfilled = undefined | null | '' | 'null' | 'undefined';

/** Whether a field is one that nobody filled: absent, empty, or the word that a script of a front end made of nothing. */
export const isUnfilled = (value: unknown): value is Unfilled =>
  value === undefined || value === null || value === '' || value === 'null' || value === 'undefined';
