import { addressBelow, ImportError, type Product } from '../port.js';
import { moment, openTables, type Tables, text, whole } from '../tables/index.js';

/** The tables of YOURLS have a prefix that its operator chooses; this is the usual one. */
const PREFIXES = ['yourls_', ''];

/** YOURLS: a dump of its MySQL database. Its users are in its configuration, and own no links. */
export const yourls: Product = {
  needs: { database: true, files: false },
  paths: { links: '/' },
  async open({ database, paths }) {
    const tables = await openTables(database ?? '');
    const table = await tableOf(tables);
    return {
      async *accounts() {},
      async *items() {
        for await (const row of tables.rows(table)) {
          const keyword = text(row.keyword) ?? '';
          yield {
            kind: 'url',
            key: `link ${keyword}`,
            owner: null,
            id: keyword,
            addresses: [addressBelow(paths.links ?? '', keyword)],
            pages: [],
            createdAt: moment(row.timestamp) ?? Date.now(),
            expiresAt: null,
            passwordHash: null,
            isPublic: true,
            tags: [],
            target: text(row.url) ?? '',
            visits: whole(row.clicks) ?? 0,
            maxUses: null,
            note: text(row.title) || null,
            forwardQuery: false,
          };
        }
      },
      close: () => tables.close(),
    };
  },
};

async function tableOf(tables: Tables): Promise<string> {
  for (const prefix of PREFIXES) if (await tables.has(`${prefix}url`)) return `${prefix}url`;
  throw new ImportError('the dump has no table yourls_url');
}
