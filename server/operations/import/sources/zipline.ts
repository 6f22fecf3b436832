import { addressBelow, fileBelow, OUTSIDE, PLAIN, type Product, refused, type SourceItem } from '../port.js';
import { type Known, type KnownTables, openKnown } from '../tables/known.js';
import { namesOf } from '../tables/pairs.js';
import type { Row } from '../tables/tables.js';
import { moment, text, truth, whole } from '../tables/values.js';
import { usualAccount } from './account.js';

const OF_RELEASE_3 =
  'this is a database of Zipline 3, which is kept differently: upgrade it to Zipline 4 first, and import that';

const KNOWN: Known = {
  product: 'Zipline 4',
  tables: {
    User: {
      needs: ['id', 'createdAt', 'username', 'password'],
      may: ['updatedAt', 'avatar', 'token', 'role', 'view', 'totpSecret', 'sessions'],
      hasAccounts: true,
    },
    File: {
      needs: ['id', 'createdAt', 'deletesAt', 'name', 'views', 'maxViews', 'password', 'userId', 'folderId'],
      may: ['updatedAt', 'originalName', 'size', 'type', 'favorite'],
    },
    Url: {
      needs: ['id', 'createdAt', 'code', 'vanity', 'destination', 'views', 'maxViews', 'password', 'userId'],
      may: ['updatedAt', 'enabled'],
    },
    Folder: {
      needs: ['id', 'createdAt', 'name', 'public', 'userId'],
      may: ['updatedAt', 'allowUploads', 'parentId'],
    },
    Tag: { needs: ['id', 'name'], may: ['createdAt', 'updatedAt', 'color', 'userId'] },
    _FileToTag: { needs: ['A', 'B'] },
    // Its settings.
    Zipline: { needs: ['id'], isOptional: true },
  },
  others: [
    ...[
      'Zipline',
      'Export',
      'UserQuota',
      'UserPasskey',
      'UserSession',
      'OAuthProvider',
      'Thumbnail',
      'Metric',
    ],
    ...['IncompleteFile', 'Invite'],
  ],
  refuses: [
    { table: 'File', column: 'expiresAt', says: OF_RELEASE_3 },
    { table: 'File', column: 'mimetype', says: OF_RELEASE_3 },
    { table: 'InvisibleFile', says: OF_RELEASE_3 },
    { table: 'Image', says: OF_RELEASE_3 },
  ],
};

/** Zipline 4: its PostgreSQL database, and the folder of its local data source. */
export const zipline: Product = {
  needs: { database: true, files: true },
  paths: { files: '/u', links: '/go', folders: '/folder' },
  async open({ database, files, paths, ignored }) {
    const tables = await openKnown(database ?? '', KNOWN, ignored);
    return {
      async *accounts() {
        for await (const row of tables.rows('User')) yield usualAccount(row);
      },
      async *items() {
        // Prisma keeps them in a table of pairs.
        const tags = await namesOf(
          tables,
          { table: '_FileToTag', of: 'A', with: 'B' },
          { table: 'Tag', id: 'id', name: 'name' },
        );
        const restriction = await restrictionOf(tables);
        const byFolder = new Map<string, string[]>();
        for await (const row of tables.rows('File')) {
          const folder = text(row.folderId);
          if (folder !== null)
            byFolder.set(folder, [...(byFolder.get(folder) ?? []), `file ${text(row.id)}`]);
          const file = fileOf(row, files ?? '', paths, tags(text(row.id) ?? ''));
          yield file.kind === 'refused' ? file : { ...file, restriction };
        }
        for await (const row of tables.rows('Url')) yield linkOf(row, paths);
        const parents = new Set<string>();
        for await (const row of tables.rows('Folder')) parents.add(text(row.parentId) ?? '');
        for await (const row of tables.rows('Folder'))
          yield folderOf(row, paths, byFolder, parents.has(text(row.id) ?? ''));
      },
      leftOut: () => tables.strangers,
      close: () => tables.close(),
    };
  },
};

type Paths = Readonly<Record<string, string>>;

/** What keeps strangers from all files: since 2026 they may be private, but for links to share them. */
async function restrictionOf(tables: KnownTables): Promise<string | null> {
  for await (const row of tables.rows('Zipline'))
    if (truth(row.featuresFilesPrivateByDefault)) return 'files were private there';
  return null;
}

function fileOf(row: Row, folder: string, paths: Paths, tags: readonly string[]): SourceItem {
  const name = text(row.name) ?? '';
  const key = `file ${text(row.id)}`;
  const path = fileBelow(folder, name);
  if (path === null) return refused('image', key, OUTSIDE);
  return {
    ...PLAIN,
    kind: 'image',
    key,
    owner: text(row.userId),
    id: name.replace(/\.[^.]*$/, ''),
    addresses: [addressBelow(paths.files ?? '', name), addressBelow('raw', name)],
    pages: [addressBelow('view', name)],
    createdAt: moment(row.createdAt) ?? Date.now(),
    expiresAt: moment(row.deletesAt),
    passwordHash: text(row.password),
    tags,
    rows: [row],
    bytes: path,
    name: text(row.originalName) ?? name,
    description: null,
    views: whole(row.views) ?? 0,
    // There, none is no limit.
    maxViews: whole(row.maxViews) || null,
  };
}

function linkOf(row: Row, paths: Paths): SourceItem {
  const key = `link ${text(row.id)}`;
  if (row.enabled !== undefined && !truth(row.enabled)) return refused('url', key, 'is switched off');
  const names = [text(row.vanity), text(row.code)].filter((name) => name !== null && name !== '') as string[];
  return {
    ...PLAIN,
    kind: 'url',
    key,
    owner: text(row.userId),
    id: names[0] ?? null,
    addresses: names.map((name) => addressBelow(paths.links ?? '', name)),
    createdAt: moment(row.createdAt) ?? Date.now(),
    passwordHash: text(row.password),
    rows: [row],
    target: text(row.destination) ?? '',
    visits: whole(row.views) ?? 0,
    maxUses: whole(row.maxViews) || null,
    note: null,
    forwardQuery: false,
  };
}

const folderOf = (
  row: Row,
  paths: Paths,
  byFolder: ReadonlyMap<string, string[]>,
  hasFolders: boolean,
): SourceItem => ({
  ...PLAIN,
  kind: 'collection',
  key: `folder ${text(row.id)}`,
  owner: text(row.userId),
  id: text(row.id),
  pages: [addressBelow(paths.folders ?? '', text(row.id) ?? '')],
  createdAt: moment(row.createdAt) ?? Date.now(),
  isPublic: truth(row.public),
  without: hasFolders ? ['the folders in it'] : [],
  rows: [row],
  title: text(row.name) ?? '',
  description: null,
  files: byFolder.get(text(row.id) ?? '') ?? [],
  views: 0,
  maxViews: null,
});
