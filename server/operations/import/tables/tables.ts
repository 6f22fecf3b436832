/** A value as databases and dumps of any kind give it. */
export type Value = string | number | boolean | Date | Buffer | null;
/** A row by its columns. */
export type Row = Readonly<Record<string, Value>>;

/** A column, as far as the database or the dump says what it is. */
export interface Column {
  readonly name: string;
  /** In lower case, without its length; empty if it has none. */
  readonly type: string;
  /** The text or the expression that it is without anything said; null for none. */
  readonly default: string | null;
  /** The table that it refers to; null for none. */
  readonly refersTo: string | null;
}

/** The tables of another product, to be read from beginning to end. */
export interface Tables {
  /** Every table with its columns. */
  schema(): Promise<ReadonlyMap<string, readonly Column[]>>;
  /**
   * All rows, a few in memory at a time; of a table with `contents`, each of which may have many megabytes, one. Columns
   * that a release lacks are missing. The table has to be there.
   */
  rows(table: string, has?: 'contents'): AsyncIterable<Row>;
  /** The rows that have this value in a column: a few, which are in memory together. A dump is read for them as a whole. */
  where(table: string, column: string, value: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}
