import { addressBelow, PLAIN, type Product, refused } from '../port.js';
import { type Known, openKnown } from '../tables/known.js';
import type { Row } from '../tables/tables.js';
import { moment, text, truth, whole } from '../tables/values.js';
import { usualAccount } from './account.js';
import { defaultFirst } from './domains.js';

const DATES = ['created_at', 'updated_at'];

const KNOWN: Known = {
  product: 'Kutt 2 or 3',
  tables: {
    users: {
      needs: ['id', 'banned', 'email', 'password', 'verified'],
      may: [
        ...['apikey', 'banned_by_id', 'cooldown', 'cooldowns', 'malicious_attempts', 'role', ...DATES],
        ...['reset_password_expires', 'reset_password_token', 'verification_expires', 'verification_token'],
        ...['change_email_expires', 'change_email_token', 'change_email_address'],
      ],
      hasAccounts: true,
    },
    domains: {
      needs: ['id', 'address', 'banned'],
      may: ['banned_by_id', 'homepage', 'user_id', 'uuid', ...DATES],
    },
    links: {
      needs: [
        'id',
        'address',
        'banned',
        'domain_id',
        'password',
        'expire_in',
        'target',
        'user_id',
        'visit_count',
      ],
      may: ['description', 'banned_by_id', 'uuid', ...DATES],
    },
  },
  others: ['visits', 'hosts', 'ips'],
};

/** Kutt 2 and 3: its database, in SQLite or PostgreSQL, or a dump of MySQL or MariaDB. */
export const kutt: Product = {
  needs: { database: true, files: false },
  paths: { links: '/' },
  async open({ database, paths, ignored }) {
    const tables = await openKnown(database ?? '', KNOWN, ignored);
    return {
      async *accounts() {
        for await (const row of tables.rows('users')) {
          const email = text(row.email) ?? '';
          yield usualAccount(row, {
            username: email.split('@')[0] ?? '',
            isBanned: truth(row.banned),
            isConfirmed: truth(row.verified),
          });
        }
      },
      async *items() {
        const domains = new Map<string, Row>();
        for await (const row of tables.rows('domains')) domains.set(text(row.id) ?? '', row);
        for await (const row of defaultFirst(tables, 'links')) {
          const address = text(row.address) ?? '';
          const key = `link ${text(row.id)}`;
          const domain = domains.get(text(row.domain_id) ?? '');
          if (truth(row.banned) || truth(domain?.banned)) {
            yield refused('url', key, truth(row.banned) ? 'is banned' : 'its domain is banned');
            continue;
          }
          yield {
            ...PLAIN,
            kind: 'url',
            key,
            owner: text(row.user_id),
            id: address,
            addresses: [addressBelow(paths.links ?? '', address)],
            createdAt: moment(row.created_at) ?? Date.now(),
            expiresAt: moment(row.expire_in),
            passwordHash: text(row.password),
            rows: [row, domain],
            target: text(row.target) ?? '',
            visits: whole(row.visit_count) ?? 0,
            maxUses: null,
            note: text(row.description) || null,
            host:
              domain === undefined
                ? null
                : { name: text(domain.address) ?? '', fallbackUrl: text(domain.homepage) },
            forwardQuery: false,
          };
        }
      },
      leftOut: () => tables.strangers,
      close: () => tables.close(),
    };
  },
};
