import { addressBelow, type Product } from '../port.js';
import { moment, openTables, type Tables, text, truth, whole } from '../tables/index.js';
import { namesOf } from '../tables/pairs.js';
import { defaultFirst } from './domains.js';

/** Shlink 3 and 4: its database, in SQLite or PostgreSQL, or a dump of MySQL or MariaDB. It has no accounts. */
export const shlink: Product = {
  needs: { database: true, files: false },
  paths: { links: '/' },
  async open({ database, paths }) {
    const tables = await openTables(database ?? '');
    return {
      async *accounts() {},
      async *items() {
        const visits = await visitsOf(tables);
        const tags = await namesOf(
          tables,
          { table: 'short_urls_in_tags', of: 'short_url_id', with: 'tag_id' },
          { table: 'tags', id: 'id', name: 'name' },
        );
        const domains = new Map<string, string>();
        for await (const row of tables.rows('domains'))
          domains.set(text(row.id) ?? '', text(row.authority) ?? '');
        for await (const row of defaultFirst(tables, 'short_urls')) {
          const id = text(row.id) ?? '';
          const code = text(row.short_code) ?? '';
          const domain = domains.get(text(row.domain_id) ?? '');
          const since = moment(row.valid_since);
          if (since !== null && since > Date.now()) {
            yield { kind: 'refused', key: `link ${id}`, reason: 'is not valid yet' };
            continue;
          }
          yield {
            kind: 'url',
            key: `link ${id}`,
            owner: null,
            id: code,
            addresses: [addressBelow(paths.links ?? '', code)],
            pages: [],
            createdAt: moment(row.date_created) ?? Date.now(),
            expiresAt: moment(row.valid_until),
            passwordHash: null,
            isPublic: true,
            tags: tags(id),
            target: text(row.original_url) ?? '',
            visits: visits.get(id) ?? 0,
            maxUses: whole(row.max_visits),
            note:
              [text(row.title), domain === undefined ? null : `was at ${domain}`]
                .filter(Boolean)
                .join('; ') || null,
            forwardQuery: row.forward_query === undefined || truth(row.forward_query),
          };
        }
      },
      close: () => tables.close(),
    };
  },
};

/** How often each link was visited. Shlink counts in several rows per link, so that they are not locked for long. */
async function visitsOf(tables: Tables): Promise<Map<string, number>> {
  const visits = new Map<string, number>();
  const counted = await tables.has('short_url_visits_counts');
  for await (const row of tables.rows(counted ? 'short_url_visits_counts' : 'visits')) {
    const id = text(row.short_url_id);
    if (id !== null) visits.set(id, (visits.get(id) ?? 0) + (counted ? (whole(row.count) ?? 0) : 1));
  }
  return visits;
}
