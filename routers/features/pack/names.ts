import { z } from 'zod';

/** What would make a link that leads nowhere: it is put into addresses as it is. */
const UNUSABLE = /[/\\?#%]|\p{Cc}|^\./u;

/** Words that follow `/files/` in other paths. */
const WORDS: ReadonlySet<string> = new Set(['packs', 'all-packs']);

/** The name that a portal gives to a file, which is its address below `/files/`. */
export const fileNameInput = z
  .string('name the file')
  .min(1, 'name the file')
  .max(200, 'a file name can have at most 200 characters')
  .refine((name) => !UNUSABLE.test(name.toWellFormed()) && name.trim() !== '', {
    error: 'a file name cannot contain / \\ ? # % or control characters, nor begin with a full stop',
  })
  .refine(
    (name) => !WORDS.has(name.toLowerCase()),
    'this word has a meaning of its own, choose another name',
  );

/** The id under which a name is reserved; no other reservation can have it, because no id has a slash. */
export const reservedIdOf = (name: string): string => `files/${name}`;

/** A password of a pack: people choose it, and older pages do not bound it from below. */
export const packPasswordInput = z
  .string()
  .max(200, 'a password can have at most 200 characters')
  .nullish()
  .transform((value) => (value === undefined || value === null || value.trim() === '' ? null : value));
