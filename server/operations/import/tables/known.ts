import { ImportError } from '../port.js';
import { doubt, isAboutAccess, mayRestrict } from './doubts.js';
import { openDump } from './dump.js';
import { openPostgresTables } from './postgres.js';
import { openSqliteTables } from './sqlite.js';
import type { Column, Row, Tables } from './tables.js';
import { text } from './values.js';

/** Opens a `postgres://` address, a file of SQLite, or an SQL dump. */
async function openTables(database: string): Promise<Tables> {
  if (/^postgres(ql)?:\/\//.test(database)) return openPostgresTables(database);
  return (await openSqliteTables(database)) ?? openDump(database);
}

interface KnownTable {
  /** Columns without which it is no table of this product and release. */
  readonly needs: readonly string[];
  /** Columns that some releases have, and all that say nothing about who may see something. */
  readonly may?: readonly string[];
  /** Columns by which other tables refer to it; `id` if nothing is said. */
  readonly ids?: readonly string[];
  /** Whether some releases lack it. */
  readonly isOptional?: true;
  /** Whether it has accounts: of tables that nobody knows, those about access concern them. */
  readonly hasAccounts?: true;
}

/** What an import knows of the tables of a product. */
export interface Known {
  /** The product and its releases, in words. */
  readonly product: string;
  readonly tables: Readonly<Record<string, KnownTable>>;
  /** Other tables: who may see what does not depend on them. */
  readonly others: readonly string[];
  /** What other releases have, and what to say of them. */
  readonly refuses?: readonly { readonly table: string; readonly column?: string; readonly says: string }[];
}

/** The tables that an import knows, in a database that was compared with what it knows. */
export interface KnownTables extends Omit<Tables, 'schema'> {
  has(table: string): boolean;
  /** Tables that nobody knows and nothing refers to: they do not come. */
  readonly strangers: readonly string[];
}

type Schema = ReadonlyMap<string, readonly Column[]>;

/** Tables in which databases, and what changes their schemas, keep what they have done. */
const OF_SCHEMAS =
  /^(?:sqlite_|pg_|_prisma_migrations$|_sqlx_migrations$|(?:knex_)?migrations(?:_lock)?$|doctrine_migration|typeorm_|schema_migrations$)/i;

/**
 * Opens the database of a product. Throws `ImportError` if it is another one, or a release that is not known. What
 * nobody knows in it, and may say who sees something, is noted (`doubtsAbout`), except for what is to be ignored
 * (`Table` or `Table.column`).
 */
export async function openKnown(
  database: string,
  knowing: Known | ((schema: Schema) => Known),
  ignored: readonly string[],
): Promise<KnownTables> {
  const tables = await openTables(database);
  try {
    const schema = await tables.schema();
    const known = typeof knowing === 'function' ? knowing(schema) : knowing;
    requireProduct(schema, known);
    return await guarded(tables, schema, known, ignored);
  } catch (error) {
    await tables.close();
    throw error;
  }
}

function requireProduct(schema: Schema, { product, tables, refuses = [] }: Known): void {
  for (const { table, column, says } of refuses) {
    const columns = schema.get(table);
    if (columns !== undefined && (column === undefined || columns.some(({ name }) => name === column)))
      throw new ImportError(says);
  }
  for (const [table, { needs, isOptional }] of Object.entries(tables)) {
    const columns = schema.get(table);
    const missing = columns && needs.find((need) => !columns.some(({ name }) => name === need));
    const lacks =
      columns === undefined
        ? isOptional
          ? undefined
          : `it has no table ${table}`
        : missing && `its table ${table} has no column ${missing}`;
    if (lacks !== undefined)
      throw new ImportError(`this is no database of ${product}, or a release that is not known: ${lacks}`);
  }
}

async function guarded(
  tables: Tables,
  schema: Schema,
  known: Known,
  ignored: readonly string[],
): Promise<KnownTables> {
  const strange = new Map<string, readonly Column[]>();
  for (const [table, { needs, may = [] }] of Object.entries(known.tables)) {
    const columns = (schema.get(table) ?? []).filter(
      ({ name }) => !needs.includes(name) && !may.includes(name) && !ignored.includes(`${table}.${name}`),
    );
    strange.set(table, columns);
  }
  const referring = new References(tables, schema, known, ignored);
  await referring.read();
  const checked = (table: string, row: Row): Row => {
    const columns = strange.get(table) ?? [];
    doubt(
      row,
      columns
        .filter((column) => mayRestrict(column, row[column.name]))
        .map(({ name }) => `column ${name} of table ${table} is not understood`),
    );
    doubt(row, referring.about(table, row));
    return row;
  };
  return {
    has: (table) => schema.has(table),
    strangers: referring.strangers,
    async *rows(table, has) {
      if (schema.has(table)) for await (const row of tables.rows(table, has)) yield checked(table, row);
    },
    where: async (table, column, value) =>
      schema.has(table) ? (await tables.where(table, column, value)).map((row) => checked(table, row)) : [],
    close: () => tables.close(),
  };
}

/** What tables that nobody knows refer to. */
class References {
  readonly strangers: string[] = [];
  /** The reasons, by a table and a value by which it is referred to. */
  readonly #about = new Map<string, Set<string>>();
  /** What concerns everything, because nothing says what it concerns. */
  readonly #aboutAll: string[] = [];

  constructor(
    private readonly tables: Tables,
    private readonly schema: Schema,
    private readonly known: Known,
    private readonly ignored: readonly string[],
  ) {}

  async read(): Promise<void> {
    const { tables, others } = this.known;
    for (const [table, columns] of this.schema)
      if (
        !Object.hasOwn(tables, table) &&
        ![...others, ...this.ignored].includes(table) &&
        !OF_SCHEMAS.test(table)
      )
        await this.readTable(table, columns);
  }

  about(table: string, row: Row): string[] {
    const { ids = ['id'], hasAccounts } = this.known.tables[table] ?? {};
    const found = ids.flatMap((id) => [...(this.#about.get(`${table} ${text(row[id])}`) ?? [])]);
    return hasAccounts === true ? found : [...found, ...this.#aboutAll];
  }

  private async readTable(table: string, columns: readonly Column[]): Promise<void> {
    const reason = `table ${table} is not understood`;
    const links = columns.flatMap((column) => {
      const to = this.referred(table, column);
      return to === null ? [] : [{ column: column.name, to }];
    });
    const ofItems = links.filter(({ to }) => this.known.tables[to]?.hasAccounts !== true);
    const counted = ofItems.length > 0 ? ofItems : isAboutAccess(table) ? links : [];
    if (counted.length === 0 && !isAboutAccess(table)) return void this.strangers.push(table);
    for await (const row of this.tables.rows(table)) {
      if (counted.length === 0) return void this.#aboutAll.push(reason);
      for (const { column, to } of counted) {
        const key = `${to} ${text(row[column])}`;
        this.#about.set(key, (this.#about.get(key) ?? new Set()).add(reason));
      }
    }
  }

  /** The known table that a column refers to, as the schema or its name says; null for none. */
  private referred(table: string, { name, refersTo }: Column): string | null {
    const known = Object.keys(this.known.tables);
    if (refersTo !== null) return known.includes(refersTo) ? refersTo : null;
    const [, first = '', second = ''] = /^_([A-Za-z]+)To([A-Za-z]+)$/.exec(table) ?? [];
    // Prisma's tables of pairs.
    if (name === 'A' || name === 'B')
      return known.find((one) => one === (name === 'A' ? first : second)) ?? null;
    const called = plain(name).replace(/(?:id|uuid|code|key)$/, '');
    return called === plain(name) ? null : (known.find((one) => singular(one) === called) ?? null);
  }
}

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
const singular = (table: string): string => plain(table).replace(/s$/, '');
