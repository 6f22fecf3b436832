import type { KnownTables } from './known.js';
import { text } from './values.js';

/** Two tables that are connected by a third one, which has pairs of their ids. */
interface Pairs {
  readonly table: string;
  /** The column with the id of what is looked for. */
  readonly of: string;
  /** The column with the id of what it is connected with. */
  readonly with: string;
}

/** The ids of what something is connected with, by its own id. */
export async function pairsOf(tables: KnownTables, pairs: Pairs): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const row of tables.rows(pairs.table)) {
    const [mine, theirs] = [text(row[pairs.of]) ?? '', text(row[pairs.with]) ?? ''];
    const list = found.get(mine);
    if (list === undefined) found.set(mine, [theirs]);
    else list.push(theirs);
  }
  return found;
}

/** The names of what something is connected with, as tags, by its own id. `names` is the table of them. */
export async function namesOf(
  tables: KnownTables,
  pairs: Pairs,
  names: { readonly table: string; readonly id: string; readonly name: string },
): Promise<(id: string) => readonly string[]> {
  const known = new Map<string, string>();
  for await (const row of tables.rows(names.table))
    known.set(text(row[names.id]) ?? '', text(row[names.name]) ?? '');
  const ids = await pairsOf(tables, pairs);
  return (id) => (ids.get(id) ?? []).flatMap((other) => known.get(other) ?? []);
}
