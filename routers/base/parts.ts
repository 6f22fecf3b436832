import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';

/** So many entries of a list are worked on before others take their turn: a few milliseconds. */
export const PART = 100;

/** Works on a long list in parts, between which others take their turns; the results are in order. */
export async function inParts<T, R>(
  all: readonly T[],
  work: (part: readonly T[]) => R[] | Promise<R[]>,
): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < all.length; from += PART) {
    if (from > 0) await nextTurn();
    for (const one of await work(all.slice(from, from + PART))) done.push(one);
  }
  return done;
}

/**
 * The schema of a record whose list may be long: where a procedure gives it, its entries are checked in parts, with
 * turns for others. Checked at once, five thousand files take a fifth of a second.
 */
export function checkedInParts<S extends z.ZodObject>(schema: S, list: keyof S['shape'] & string): S {
  const { [list]: entries, ...others } = schema.shape;
  if (!(entries instanceof z.ZodArray)) throw new Error(`${list} is no list`);
  const part = z.array(entries.element);
  const rest = z.object(others);
  const [whole, wholeAtOnce] = [schema.parseAsync, schema.parse];
  const longIn = (value: unknown): readonly unknown[] | null => {
    const all: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, list) : null;
    return Array.isArray(all) && all.length > PART ? all : null;
  };
  return Object.assign(schema, {
    // tRPC asks this first, and the other for good once this fails.
    parse: (value: unknown) => {
      if (longIn(value) !== null) throw new Error('a list this long is checked in parts, by parseAsync');
      return wholeAtOnce(value);
    },
    parseAsync: async (value: Readonly<Record<string, unknown>>) => {
      const all = longIn(value);
      if (all === null) return whole(value);
      const checked = await inParts(all, (some) => part.parseAsync(some));
      return { ...(await rest.parseAsync(value)), [list]: checked };
    },
  });
}
