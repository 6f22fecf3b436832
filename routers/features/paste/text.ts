import { z } from 'zod';
import { readableSize } from '../../base/embed.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';

/** Maximum size of a paste, in bytes of UTF-8. */
export const MAX_PASTE_LENGTH = 1024 * 1024;
/** The most files of a paste. */
export const MAX_FILES = 20;
/** Longest title of a paste, in characters. */
export const MAX_TITLE_LENGTH = 200;

/** The title and the language of a paste. */
export const titleInput = z.string().max(MAX_TITLE_LENGTH).nullish();
export const languageInput = z
  .string()
  .regex(/^[A-Za-z0-9+#._-]{0,40}$/, 'is not a known language')
  .nullish();

/** A text without the spaces around it; null for nothing else. */
export const blankToNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

/** The text as stored; refuses empty, overlong and binary content. */
export function readText(text: string): { content: string; size: number } {
  if (text === '') fail('INVALID', 'The paste is empty');
  if (text.includes('\u0000')) fail('INVALID', 'The paste is not text');
  const content = text.toWellFormed();
  const size = Buffer.byteLength(content);
  if (size > MAX_PASTE_LENGTH)
    fail('INVALID', localizable('A paste can be at most {size}', { size: readableSize(MAX_PASTE_LENGTH) }));
  return { content, size };
}
