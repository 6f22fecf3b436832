import type { Column } from './tables.js';

/** A column as a database lists it. */
export interface ListedColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** The expression of its default, as SQL. */
  readonly default: string | null;
  readonly to: string | null;
}

/** The tables with their columns, of a list of columns. */
export function byTable(listed: readonly ListedColumn[]): Map<string, Column[]> {
  const tables = new Map<string, Column[]>();
  for (const { table, name, type, default: expression, to } of listed) {
    const columns = tables.get(table) ?? [];
    columns.push({ name, type: type.replace(/\(.*/, ''), default: plainDefault(expression), refersTo: to });
    tables.set(table, columns);
  }
  return tables;
}

/** The text of a default: `'USER'::"Role"` is USER. */
function plainDefault(expression: string | null): string | null {
  const [, quoted] = /^\(?["']((?:[^']|'')*)["']/.exec(expression ?? '') ?? [];
  return quoted?.replaceAll("''", "'") ?? (/^null\b/i.test(expression ?? '') ? null : expression);
}
