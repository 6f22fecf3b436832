import type { Method, Row } from './route.js';

/** Rows under another prefix as well: what clients know by two names is written once. */
export const alsoUnder = (rows: readonly Row[], prefix: string, other: string): Row[] => [
  ...rows,
  ...rows
    .filter(({ path }) => path.startsWith(`${prefix}/`))
    .map((row) => ({ ...row, path: `${other}${row.path.slice(prefix.length)}` })),
];

/** A row by other names as well. */
export const alsoAs = (row: Row, ...others: readonly (readonly [Method, string])[]): Row[] => [
  row,
  ...others.map(([method, path]) => ({ ...row, method, path })),
];
