import { extname } from 'node:path';
import { addressBelow, fileBelow, OUTSIDE, PLAIN, type Product, refused, type SourceItem } from '../port.js';
import { type Known, openKnown } from '../tables/known.js';
import { namesOf } from '../tables/pairs.js';
import type { Row } from '../tables/tables.js';
import { moment, text, truth } from '../tables/values.js';
import { usualAccount } from './account.js';

const KNOWN: Known = {
  product: 'XBackBone 3',
  tables: {
    users: {
      needs: ['id', 'username', 'password', 'user_code', 'active'],
      may: [
        ...['email', 'token', 'is_admin', 'registration_date', 'remember_selector', 'remember_token', 'ldap'],
        ...['remember_expire', 'activate_token', 'reset_token', 'current_disk_quota', 'max_disk_quota'],
        ...['hide_uploads', 'copy_raw', 'twofa_secret'],
      ],
      hasAccounts: true,
    },
    uploads: { needs: ['id', 'user_id', 'code', 'filename', 'storage_path', 'published', 'timestamp'] },
    tags: { needs: ['id', 'name'], may: ['timestamp'], isOptional: true },
    uploads_tags: { needs: ['upload_id', 'tag_id'], isOptional: true },
  },
  others: ['settings'],
};

/** XBackBone 3: its SQLite database or a dump of MySQL or MariaDB, and the folder `storage`. */
export const xbackbone: Product = {
  needs: { database: true, files: true },
  paths: { files: '/' },
  async open({ database, files, paths, ignored }) {
    const tables = await openKnown(database ?? '', KNOWN, ignored);
    return {
      async *accounts() {
        for await (const row of tables.rows('users'))
          yield usualAccount(row, {
            createdAt: moment(row.registration_date) ?? Date.now(),
            // Who has not confirmed an address yet is not active either.
            isBanned: !truth(row.active) && !text(row.activate_token),
            isConfirmed: truth(row.active) || !text(row.activate_token),
          });
      },
      async *items() {
        const tags = await namesOf(
          tables,
          { table: 'uploads_tags', of: 'upload_id', with: 'tag_id' },
          { table: 'tags', id: 'id', name: 'name' },
        );
        // The first part of the addresses of what somebody has uploaded.
        const codes = new Map<string, string>();
        for await (const row of tables.rows('users'))
          codes.set(text(row.id) ?? '', text(row.user_code) ?? '');
        for await (const row of tables.rows('uploads')) {
          const code = codes.get(text(row.user_id) ?? '') ?? '';
          yield uploadOf(row, files ?? '', code === '' ? null : addressBelow(paths.files ?? '', code), tags);
        }
      },
      leftOut: () => tables.strangers,
      close: () => tables.close(),
    };
  },
};

function uploadOf(
  row: Row,
  folder: string,
  below: string | null,
  tags: (id: string) => readonly string[],
): SourceItem {
  const key = `upload ${text(row.id)}`;
  const code = text(row.code) ?? '';
  const name = text(row.filename) ?? code;
  const bytes = fileBelow(folder, text(row.storage_path) ?? '');
  if (bytes === null) return refused('image', key, OUTSIDE);
  const end = extname(text(row.storage_path) ?? '');
  const page = below === null || code === '' ? null : addressBelow(below, code);
  return {
    ...PLAIN,
    kind: 'image',
    key,
    owner: text(row.user_id),
    id: code,
    addresses: page === null ? [] : ['/raw', `/raw${end}`, '/download'].map((part) => `${page}${part}`),
    pages: page === null ? [] : [page, `${page}${end}`],
    createdAt: moment(row.timestamp) ?? Date.now(),
    isPublic: truth(row.published),
    tags: tags(text(row.id) ?? ''),
    rows: [row],
    bytes,
    name,
    description: null,
    views: 0,
    maxViews: null,
  };
}
