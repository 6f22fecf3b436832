import type { Column, Row, Value } from './tables.js';

/** What is not understood about a row, in words. */
const doubts = new WeakMap<Row, readonly string[]>();

/** Notes that something about a row is not understood. */
export function doubt(row: Row, reasons: readonly string[]): void {
  if (reasons.length > 0) doubts.set(row, [...(doubts.get(row) ?? []), ...reasons]);
}

/** What is not understood about rows, each thing once. */
export const doubtsAbout = (rows: readonly (Row | undefined)[]): string[] => [
  ...new Set(rows.flatMap((row) => (row === undefined ? [] : (doubts.get(row) ?? [])))),
];

/** Names of times at which something was done: they open and close nothing. */
const OF_THE_PAST = /^(?:date_?)?(?:creat|updat|edit|modif|upload|last_?(?:seen|visit|use|open|view))/i;
/** Names of what opens something, so that its lack closes it. */
const OPENS = /public|publish|visib|open|enabl|activ|allow|access|permi|approv|verif|confirm|(?<!un)listed/i;
/** Names of what closes something, also where it does so unless told otherwise. */
const CLOSES =
  /priv|hid|secret|pass(?!ed)|lock|restrict|protect|ban|delet|quarant|draft|expir|recipient|unlisted|suspend|disab/i;
/** Names of tables that say who may see what. */
const SAYS_WHO =
  /access|permi|acl|grant|rule|recipient|member|secur|visib|restrict|priv|share|polic|protect|passw|guest|invit|block|ban/i;

/** Whether the name of a table says that it is about who may see what. */
export const isAboutAccess = (table: string): boolean => SAYS_WHO.test(table);

/**
 * Whether a value of a column that nobody knows may restrict who sees its row: what is not what the column is by
 * default, and what sounds as if it closed something.
 */
export function mayRestrict({ name, default: usual }: Column, value: Value | undefined): boolean {
  if (value === undefined || value === null || OF_THE_PAST.test(name)) return false;
  const said = written(value);
  if (['', '[]', '{}'].includes(said)) return false;
  if (said === 'false') return OPENS.test(name);
  return said !== (usual === null ? null : written(usual)) || CLOSES.test(name);
}

const SPELLINGS: Readonly<Record<string, string>> = { '0': 'false', f: 'false', '1': 'true', t: 'true' };

const written = (value: Value): string => {
  // The driver of PostgreSQL gives lists and objects as such.
  const isPlain = typeof value !== 'object' || value === null || value instanceof Date;
  const said = (isPlain ? String(value) : JSON.stringify(value)).toLowerCase();
  return SPELLINGS[said] ?? said;
};
