import { fail } from '../errors.js';

/** Real input is never nested deeper; very deep input would overflow the stack of recursive code. */
const MAX_DEPTH = 64;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * Normalises input so that every database can store it: lone surrogates become U+FFFD. Refuses NUL and
 * excessive nesting, because PostgreSQL would reject them together with every lookup of the same batch.
 */
export function readable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) fail('INVALID', 'The request contains a NUL character');
    return value.isWellFormed() ? value : value.toWellFormed();
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) fail('INVALID', 'The request is nested too deeply');
  if (!Array.isArray(value) && !isPlain(value)) return value;
  // What is readable already, as nearly everything is, is not copied.
  let copy: Record<string, unknown> | null = null;
  for (const [name, one] of Object.entries(value)) {
    const read = readable(one, depth + 1);
    if (read === one) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[name] = read;
  }
  return copy ?? value;
}
