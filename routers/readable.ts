import { fail } from './errors.js';

/** Real input is never nested deeper; far deeper input would overflow the stack of the code that walks it. */
const DEEPEST = 64;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * Input as every database can keep it, the same on all of them: halves of surrogate pairs become U+FFFD. Refuses
 * NUL and what is nested without end. PostgreSQL would refuse either, together with every lookup of the same batch.
 */
export function readable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) fail('INVALID', 'The request contains a NUL character');
    return value.isWellFormed() ? value : value.toWellFormed();
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) fail('INVALID', 'The request is nested too deeply');
  if (Array.isArray(value)) return value.map((one) => readable(one, depth + 1));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, readable(one, depth + 1)]);
  return Object.fromEntries(entries);
}
