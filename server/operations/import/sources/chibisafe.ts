import { addressBelow, fileBelow, OUTSIDE, type Product, type SourceItem } from '../port.js';
import { moment, openTables, type Row, type Tables, text, truth, whole } from '../tables/index.js';
import { namesOf, pairsOf } from '../tables/pairs.js';
import { checkable } from './hashes.js';

/** Chibisafe 5 and 6: `database/database.sqlite`, and the folder `uploads`. */
export const chibisafe: Product = {
  needs: { database: true, files: true },
  paths: { files: '/', snippets: '/snippet', albums: '/a' },
  async open({ database, files, paths }) {
    const tables = await openTables(database ?? '');
    return {
      async *accounts() {
        for await (const row of tables.rows('users'))
          yield {
            key: text(row.id) ?? '',
            username: text(row.username) ?? '',
            email: null,
            passwordHash: checkable(text(row.password)),
            createdAt: moment(row.createdAt) ?? Date.now(),
            isBanned: row.enabled !== undefined && !truth(row.enabled),
          };
      },
      async *items() {
        const tags = await namesOf(
          tables,
          { table: '_filesTotags', of: 'A', with: 'B' },
          { table: 'tags', id: 'id', name: 'name' },
        );
        for await (const row of tables.rows('files'))
          yield fileOf(row, files ?? '', paths, tags(text(row.id) ?? ''));
        for await (const row of tables.rows('snippets', 'contents')) yield snippetOf(row, paths);
        yield* albumsOf(tables, paths);
      },
      close: () => tables.close(),
    };
  },
};

type Paths = Readonly<Record<string, string>>;

function fileOf(row: Row, folder: string, paths: Paths, tags: readonly string[]): SourceItem {
  const name = text(row.name) ?? '';
  const key = `file ${text(row.id)}`;
  if (truth(row.quarantine)) return { kind: 'refused', key, reason: 'is in quarantine' };
  if (truth(row.isS3))
    return { kind: 'refused', key, reason: 'is in a bucket: copy it into the folder first' };
  const path = fileBelow(folder, name);
  if (path === null) return { kind: 'refused', key, reason: OUTSIDE };
  return {
    kind: 'image',
    key,
    owner: text(row.userId),
    id: name.replace(/\.[^.]*$/, ''),
    addresses: [addressBelow(paths.files ?? '', name)],
    pages: [],
    createdAt: moment(row.createdAt) ?? Date.now(),
    expiresAt: null,
    passwordHash: null,
    isPublic: true,
    tags,
    bytes: path,
    name: text(row.original),
    description: null,
    views: 0,
    maxViews: null,
  };
}

const snippetOf = (row: Row, paths: Paths): SourceItem => ({
  kind: 'paste',
  key: `snippet ${text(row.id)}`,
  owner: text(row.userId),
  id: text(row.identifier),
  addresses: [addressBelow(paths.snippets ?? '', `${text(row.identifier)}/raw`)],
  pages: [addressBelow(paths.snippets ?? '', text(row.identifier) ?? '')],
  createdAt: moment(row.createdAt) ?? Date.now(),
  expiresAt: null,
  passwordHash: null,
  isPublic: true,
  tags: [],
  title: text(row.name),
  content: text(row.content) ?? '',
  language: text(row.language),
  burn: false,
});

/** Albums, each under the addresses of its links. One without a link was seen by its owner only. */
async function* albumsOf(tables: Tables, paths: Paths): AsyncGenerator<SourceItem> {
  const files = await pairsOf(tables, { table: '_albumsTofiles', of: 'A', with: 'B' });
  const links = new Map<string, Row[]>();
  for await (const row of tables.rows('links')) {
    const album = text(row.albumId) ?? '';
    if (truth(row.enabled)) links.set(album, [...(links.get(album) ?? []), row]);
  }
  for await (const row of tables.rows('albums')) {
    const id = text(row.id) ?? '';
    const shared = links.get(id) ?? [];
    const names = shared.map((link) => text(link.identifier) ?? '');
    const ends = shared.map((link) => moment(link.expiresAt));
    yield {
      kind: 'collection',
      key: `album ${id}`,
      owner: text(row.userId),
      id: names[0] ?? null,
      addresses: [],
      pages: names.map((name) => addressBelow(paths.albums ?? '', name)),
      createdAt: moment(row.createdAt) ?? Date.now(),
      // The last of its links ends it.
      expiresAt: ends.includes(null) || ends.length === 0 ? null : Math.max(...ends.map((end) => end ?? 0)),
      passwordHash: null,
      isPublic: shared.length > 0,
      title: text(row.name) ?? '',
      description: text(row.description),
      files: (files.get(id) ?? []).map((file) => `file ${file}`),
      views: shared.reduce((sum, link) => sum + (whole(link.views) ?? 0), 0),
      maxViews: null,
    };
  }
}
