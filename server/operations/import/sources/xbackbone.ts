import { extname } from 'node:path';
import { addressBelow, fileBelow, OUTSIDE, PLAIN, type Product, type SourceItem } from '../port.js';
import { moment, openTables, type Row, text, truth } from '../tables/index.js';
import { namesOf } from '../tables/pairs.js';
import { checkable } from './hashes.js';

/** XBackBone 3: its SQLite database or a dump of MySQL or MariaDB, and the folder `storage`. */
export const xbackbone: Product = {
  needs: { database: true, files: true },
  paths: { files: '/' },
  async open({ database, files, paths }) {
    const tables = await openTables(database ?? '');
    return {
      async *accounts() {
        for await (const row of tables.rows('users'))
          yield {
            key: text(row.id) ?? '',
            username: text(row.username) ?? '',
            email: text(row.email),
            passwordHash: checkable(text(row.password)),
            createdAt: moment(row.registration_date) ?? Date.now(),
            isBanned: !truth(row.active),
          };
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
  if (bytes === null) return { kind: 'refused', key, reason: OUTSIDE };
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
    bytes,
    name,
    description: null,
    views: 0,
    maxViews: null,
  };
}
