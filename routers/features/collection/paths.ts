import { z } from 'zod';
import { rule } from '../../base/language/rules.js';
import { displayName } from '../../core/items/file-names.js';

const MAX_PATH_LENGTH = 1_000;
const MAX_DEPTH = 32;

/** A path as `a/b/c.txt`, each part a safe name; null if nothing is left or it leads out of the collection. */
function cleanPath(path: string): string | null {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.length > MAX_DEPTH || parts.includes('..')) return null;
  const names = parts.map((part) => displayName(part));
  return names.includes(null) ? null : names.join('/');
}

/** Where a file is in its collection; "" and null mean its own name. */
export const pathInput = z
  .string()
  .max(MAX_PATH_LENGTH, rule('a path can have at most {max} characters', { max: MAX_PATH_LENGTH }))
  .nullish()
  .transform((value, ctx) => {
    if (value === undefined || value === null || value.trim() === '')
      return value === undefined ? undefined : null;
    const path = cleanPath(value);
    if (path !== null) return path;
    ctx.addIssue({
      code: 'custom',
      message: rule('use a path like folder/name.txt, at most {max} deep', { max: MAX_DEPTH }),
    });
    return z.NEVER;
  });
