import { addressBelow, fileBelow, OUTSIDE, type Product, type SourceItem } from '../port.js';
import { moment, openTables, type Row, text, truth, whole } from '../tables/index.js';
import { namesOf } from '../tables/pairs.js';
import { checkable } from './hashes.js';

/** Zipline 4: its PostgreSQL database, and the folder of its local data source. */
export const zipline: Product = {
  needs: { database: true, files: true },
  paths: { files: '/u', links: '/go', folders: '/folder' },
  async open({ database, files, paths }) {
    const tables = await openTables(database ?? '');
    return {
      async *accounts() {
        for await (const row of tables.rows('User'))
          yield {
            key: text(row.id) ?? '',
            username: text(row.username) ?? '',
            email: null,
            passwordHash: checkable(text(row.password)),
            createdAt: moment(row.createdAt) ?? Date.now(),
            isBanned: false,
          };
      },
      async *items() {
        // Prisma keeps them in a table of pairs.
        const tags = await namesOf(
          tables,
          { table: '_FileToTag', of: 'A', with: 'B' },
          { table: 'Tag', id: 'id', name: 'name' },
        );
        const byFolder = new Map<string, string[]>();
        for await (const row of tables.rows('File')) {
          const folder = text(row.folderId);
          if (folder !== null)
            byFolder.set(folder, [...(byFolder.get(folder) ?? []), `file ${text(row.id)}`]);
          yield fileOf(row, files ?? '', paths, tags(text(row.id) ?? ''));
        }
        for await (const row of tables.rows('Url')) yield linkOf(row, paths);
        for await (const row of tables.rows('Folder')) yield folderOf(row, paths, byFolder);
      },
      close: () => tables.close(),
    };
  },
};

type Paths = Readonly<Record<string, string>>;

function fileOf(row: Row, folder: string, paths: Paths, tags: readonly string[]): SourceItem {
  const name = text(row.name) ?? '';
  const key = `file ${text(row.id)}`;
  const path = fileBelow(folder, name);
  if (path === null) return { kind: 'refused', key, reason: OUTSIDE };
  return {
    kind: 'image',
    key,
    owner: text(row.userId),
    id: name.replace(/\.[^.]*$/, ''),
    addresses: [addressBelow(paths.files ?? '', name), addressBelow('raw', name)],
    pages: [addressBelow('view', name)],
    createdAt: moment(row.createdAt) ?? Date.now(),
    expiresAt: moment(row.deletesAt),
    passwordHash: text(row.password),
    isPublic: true,
    tags,
    bytes: path,
    name: text(row.originalName) ?? name,
    description: null,
    views: whole(row.views) ?? 0,
    maxViews: whole(row.maxViews),
  };
}

function linkOf(row: Row, paths: Paths): SourceItem {
  const key = `link ${text(row.id)}`;
  if (row.enabled !== undefined && !truth(row.enabled))
    return { kind: 'refused', key, reason: 'is switched off' };
  const names = [text(row.vanity), text(row.code)].filter((name) => name !== null && name !== '') as string[];
  return {
    kind: 'url',
    key,
    owner: text(row.userId),
    id: names[0] ?? null,
    addresses: names.map((name) => addressBelow(paths.links ?? '', name)),
    pages: [],
    createdAt: moment(row.createdAt) ?? Date.now(),
    expiresAt: null,
    passwordHash: text(row.password),
    isPublic: true,
    tags: [],
    target: text(row.destination) ?? '',
    visits: whole(row.views) ?? 0,
    maxUses: whole(row.maxViews),
    note: null,
    forwardQuery: false,
  };
}

const folderOf = (row: Row, paths: Paths, byFolder: ReadonlyMap<string, string[]>): SourceItem => ({
  kind: 'collection',
  key: `folder ${text(row.id)}`,
  owner: text(row.userId),
  id: text(row.id),
  addresses: [],
  pages: [addressBelow(paths.folders ?? '', text(row.id) ?? '')],
  createdAt: moment(row.createdAt) ?? Date.now(),
  expiresAt: null,
  passwordHash: null,
  isPublic: truth(row.public),
  title: text(row.name) ?? '',
  description: null,
  files: byFolder.get(text(row.id) ?? '') ?? [],
  views: 0,
  maxViews: null,
});
