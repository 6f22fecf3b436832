import { dialectOf } from '../engine/dialect.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Whom rules are for that hold for everybody. */
export const EVERYBODY = 'ALL';

/** What may come in, and how long it may stay. */
export interface StoredEntryRules {
  /** Types of files as `image/*` or `!image/gif`; empty for all. */
  readonly types: readonly string[];
  /** In days; null for what is not set. */
  readonly maxExpiryDays: number | null;
  readonly defaultExpiryDays: number | null;
}

/** Rules that restrict nothing. */
export const NO_ENTRY_RULES: StoredEntryRules = { types: [], maxExpiryDays: null, defaultExpiryDays: null };

interface Row {
  scope: string;
  rules: string;
}

const byScope = (rows: readonly Row[]): ReadonlyMap<string, StoredEntryRules> =>
  new Map(rows.map(({ scope, rules }) => [scope, json<StoredEntryRules>(rules)]));

/** The rules that hold for each account: those for everybody, then those of its role. */
export async function storedRulesFor(
  db: Queryable,
  ownerIds: readonly number[],
): Promise<(readonly StoredEntryRules[])[]> {
  const rules = await allStoredRules(db);
  const roles = new Map<number, string>();
  if ([...rules.keys()].some((scope) => scope !== EVERYBODY)) {
    const rows = await query<{ id: number; role: string }>(
      db,
      `SELECT id, role FROM users WHERE ${dialectOf(db).inNumbers('id')}`,
      [JSON.stringify(ownerIds)],
    );
    for (const { id, role } of rows) roles.set(id, role);
  }
  return ownerIds.map((id) => [EVERYBODY, roles.get(id) ?? ''].flatMap((scope) => rules.get(scope) ?? []));
}

/** The rules that hold for whoever has no account. */
export const rulesForEverybody = async (db: Queryable): Promise<readonly StoredEntryRules[]> =>
  [(await allStoredRules(db)).get(EVERYBODY)].filter((rules) => rules !== undefined);

/** All rules that are set, by scope. */
export async function allStoredRules(db: Queryable): Promise<ReadonlyMap<string, StoredEntryRules>> {
  return byScope(await query<Row>(db, 'SELECT scope, rules FROM entry_rules', []));
}

/** Sets the rules of a role or, with `EVERYBODY`, of the installation. */
export async function setStoredRules(trx: Queryable, scope: string, rules: StoredEntryRules): Promise<void> {
  await trx('entry_rules')
    .insert({ scope, rules: JSON.stringify(rules) })
    .onConflict('scope')
    .merge();
}
