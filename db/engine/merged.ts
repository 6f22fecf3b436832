import type { Dialect } from './dialect.js';
import type { Window } from './paging.js';
import type { Statement } from './query.js';

/** What one table gives to a list: a SELECT with the columns that the order of the list names. */
interface ListPart extends Statement {
  /** The order in which an index has these rows, if it is not that of the list. */
  readonly order: string | null;
}

/**
 * A section of a list that several tables make together. Where each has its rows in the order of the list, they are merged as
 * far as the section ends; otherwise as many of each are sorted.
 */
export function mergedSection(
  { mergesParts }: Dialect,
  parts: readonly ListPart[],
  order: string,
  { limit, offset }: Window,
): Statement {
  const isMerged = mergesParts && parts.every((part) => part.order === null);
  const cut = parts.map((part, index) =>
    isMerged
      ? part
      : {
          sql: `SELECT * FROM (${part.sql} ORDER BY ${part.order ?? order} LIMIT ?) AS part_${index}`,
          values: [...part.values, limit + offset],
        },
  );
  const all = cut.map(({ sql }) => sql).join(' UNION ALL ');
  return {
    sql: `${isMerged ? all : `SELECT * FROM (${all}) AS parts`} ORDER BY ${order} LIMIT ? OFFSET ?`,
    values: [...cut.flatMap(({ values }) => values), limit, offset],
  };
}
