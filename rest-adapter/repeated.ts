import type { Row } from './route.js';

/** Rows under another prefix as well: what clients know by two names is written once. */
export const alsoUnder = (rows: readonly Row[], prefix: string, other: string): Row[] => [
  ...rows,
  ...rows
    .filter(({ path }) => path.startsWith(`${prefix}/`))
    .map((row) => ({ ...row, path: `${other}${row.path.slice(prefix.length)}` })),
];
