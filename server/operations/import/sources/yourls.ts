import { addressBelow, ImportError, PLAIN, type Product } from '../port.js';
import { type Known, type KnownTables, openKnown } from '../tables/known.js';
import type { Column } from '../tables/tables.js';
import { moment, text, whole } from '../tables/values.js';

const COLUMNS = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks'];

/** YOURLS: a dump of its MySQL database. Its users are in its configuration, and own no links. */
export const yourls: Product = {
  needs: { database: true, files: false, prefix: 'optional' },
  paths: { links: '/' },
  async open({ database, paths, ignored, prefix }) {
    let table = '';
    const tables = await openKnown(
      database ?? '',
      (schema) => {
        table = prefix === null ? usualTable(schema) : `${prefix}url`;
        return knownOf(table.slice(0, -3), [...schema.keys()]);
      },
      ignored,
    );
    const options = `${table.slice(0, -3)}options`;
    return {
      async *accounts() {},
      async *items() {
        const rules = await rulesOf(tables, options);
        for await (const row of tables.rows(table)) {
          const keyword = text(row.keyword) ?? '';
          const rule = rules.find(({ value }) => value.includes(`"${keyword}"`));
          yield {
            ...PLAIN,
            kind: 'url',
            key: `link ${keyword}`,
            owner: null,
            id: keyword,
            addresses: [addressBelow(paths.links ?? '', keyword)],
            createdAt: moment(row.timestamp) ?? Date.now(),
            restriction: rule === undefined ? null : `option ${rule.name} of a plugin is not understood`,
            rows: [row],
            target: text(row.url) ?? '',
            visits: whole(row.clicks) ?? 0,
            maxUses: null,
            note: text(row.title) || null,
            forwardQuery: false,
          };
        }
      },
      leftOut: () => tables.strangers,
      close: () => tables.close(),
    };
  },
};

const knownOf = (prefix: string, all: readonly string[]): Known => ({
  product: 'YOURLS 1',
  tables: {
    [`${prefix}url`]: { needs: COLUMNS, ids: ['keyword'] },
    [`${prefix}options`]: { needs: ['option_name', 'option_value'], may: ['option_id'], isOptional: true },
  },
  // What begins otherwise belongs to another product in the same database.
  others: [`${prefix}log`, `${prefix}next_id`, ...all.filter((table) => !table.startsWith(prefix))],
});

/** The names of its tables begin as its operator chooses. */
function usualTable(schema: ReadonlyMap<string, readonly Column[]>): string {
  const found = [...schema].flatMap(([name, columns]) =>
    name.endsWith('url') && COLUMNS.every((column) => columns.some((one) => one.name === column))
      ? [name]
      : [],
  );
  const [only] = found.length === 1 ? found : found.filter((name) => name === 'yourls_url');
  if (only !== undefined) return only;
  if (found.length === 0)
    throw new ImportError('this is no database of YOURLS 1: the dump has no table yourls_url');
  throw new ImportError(
    `there are several installations: say with --prefix which one (${found.map((name) => name.slice(0, -3)).join(', ')})`,
  );
}

/** What plugins say about single links: passwords, ends. They keep it among the options, as a serialized list. */
async function rulesOf(tables: KnownTables, table: string): Promise<{ name: string; value: string }[]> {
  const rules: { name: string; value: string }[] = [];
  for await (const row of tables.rows(table)) {
    const name = text(row.option_name) ?? '';
    if (/pass|pw|protect|expir|priv|hid|secret|restrict|limit|access|allow/i.test(name))
      rules.push({ name, value: text(row.option_value) ?? '' });
  }
  return rules;
}
