import { addressBelow, type Product } from '../port.js';
import { moment, openTables, text, truth, whole } from '../tables/index.js';
import { defaultFirst } from './domains.js';
import { checkable } from './hashes.js';

/** Kutt 2 and 3: its database, in SQLite or PostgreSQL, or a dump of MySQL or MariaDB. */
export const kutt: Product = {
  needs: { database: true, files: false },
  paths: { links: '/' },
  async open({ database, paths }) {
    const tables = await openTables(database ?? '');
    return {
      async *accounts() {
        for await (const row of tables.rows('users')) {
          const email = text(row.email) ?? '';
          yield {
            key: text(row.id) ?? '',
            username: email.split('@')[0] ?? '',
            email,
            passwordHash: checkable(text(row.password)),
            createdAt: moment(row.created_at) ?? Date.now(),
            isBanned: truth(row.banned),
          };
        }
      },
      async *items() {
        const domains = new Map<string, string>();
        for await (const row of tables.rows('domains'))
          domains.set(text(row.id) ?? '', text(row.address) ?? '');
        for await (const row of defaultFirst(tables, 'links')) {
          const address = text(row.address) ?? '';
          const key = `link ${text(row.id)}`;
          if (truth(row.banned)) {
            yield { kind: 'refused', key, reason: 'is banned' };
            continue;
          }
          const domain = domains.get(text(row.domain_id) ?? '');
          yield {
            kind: 'url',
            key,
            owner: text(row.user_id),
            id: address,
            addresses: [addressBelow(paths.links ?? '', address)],
            pages: [],
            createdAt: moment(row.created_at) ?? Date.now(),
            expiresAt: moment(row.expire_in),
            passwordHash: text(row.password),
            isPublic: true,
            tags: [],
            target: text(row.target) ?? '',
            visits: whole(row.visit_count) ?? 0,
            maxUses: null,
            note:
              [text(row.description), domain === undefined ? null : `was at ${domain}`]
                .filter(Boolean)
                .join('; ') || null,
            forwardQuery: false,
          };
        }
      },
      close: () => tables.close(),
    };
  },
};
