import { addressBelow, fileBelow, OUTSIDE, PLAIN, type Product, refused, type SourceItem } from '../port.js';
import { type Known, type KnownTables, openKnown } from '../tables/known.js';
import { namesOf, pairsOf } from '../tables/pairs.js';
import type { Row } from '../tables/tables.js';
import { moment, text, truth, whole } from '../tables/values.js';
import { usualAccount } from './account.js';

const KNOWN: Known = {
  product: 'chibisafe 5 or 6',
  tables: {
    users: {
      needs: ['id', 'username', 'password', 'createdAt'],
      may: ['uuid', 'enabled', 'storageQuota', 'apiKey', 'passwordEditedAt', 'apiKeyEditedAt', 'editedAt'],
      ids: ['id', 'uuid'],
      hasAccounts: true,
    },
    files: {
      needs: ['id', 'userId', 'name', 'original', 'createdAt'],
      may: ['uuid', 'type', 'size', 'hash', 'ip', 'isS3', 'isWatched', 'editedAt', 'quarantine'],
      ids: ['id', 'uuid'],
    },
    snippets: {
      needs: ['id', 'userId', 'identifier', 'name', 'content', 'language', 'createdAt'],
      may: ['uuid', 'description', 'parentUuid', 'editedAt'],
      ids: ['id', 'uuid'],
    },
    albums: {
      needs: ['id', 'userId', 'name', 'createdAt'],
      may: ['uuid', 'description', 'zippedAt', 'editedAt', 'nsfw'],
      ids: ['id', 'uuid'],
    },
    links: {
      needs: ['id', 'albumId', 'identifier', 'views', 'enabled', 'expiresAt'],
      may: ['uuid', 'userId', 'enableDownload', 'createdAt', 'editedAt'],
      ids: ['id', 'uuid'],
    },
    shortenedLinks: {
      needs: ['id', 'userId', 'identifier', 'destination', 'createdAt'],
      may: ['uuid', 'views', 'editedAt'],
      ids: ['id', 'uuid'],
      isOptional: true,
    },
    tags: { needs: ['id', 'name'], may: ['uuid', 'userId', 'createdAt', 'editedAt'] },
    _albumsTofiles: { needs: ['A', 'B'] },
    _filesTotags: { needs: ['A', 'B'] },
  },
  others: ['roles', '_rolesTousers', 'quarantineFiles', 'bans', 'settings', 'statistics', 'invites'],
};

/** Chibisafe 5 and 6: `database/database.sqlite`, and the folder `uploads`. */
export const chibisafe: Product = {
  needs: { database: true, files: true },
  paths: { files: '/', snippets: '/snippet', albums: '/a', links: '/link' },
  async open({ database, files, paths, ignored }) {
    const tables = await openKnown(database ?? '', KNOWN, ignored);
    return {
      async *accounts() {
        for await (const row of tables.rows('users'))
          yield usualAccount(row, { isBanned: row.enabled !== undefined && !truth(row.enabled) });
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
        for await (const row of tables.rows('shortenedLinks')) yield linkOf(row, paths);
        yield* albumsOf(tables, paths);
      },
      leftOut: () => tables.strangers,
      close: () => tables.close(),
    };
  },
};

type Paths = Readonly<Record<string, string>>;

function fileOf(row: Row, folder: string, paths: Paths, tags: readonly string[]): SourceItem {
  const name = text(row.name) ?? '';
  const key = `file ${text(row.id)}`;
  if (truth(row.quarantine)) return refused('image', key, 'is in quarantine');
  if (truth(row.isS3)) return refused('image', key, 'is in a bucket: copy it into the folder first');
  const path = fileBelow(folder, name);
  if (path === null) return refused('image', key, OUTSIDE);
  return {
    ...PLAIN,
    kind: 'image',
    key,
    owner: text(row.userId),
    id: name.replace(/\.[^.]*$/, ''),
    addresses: [addressBelow(paths.files ?? '', name)],
    createdAt: moment(row.createdAt) ?? Date.now(),
    tags,
    rows: [row],
    bytes: path,
    name: text(row.original),
    description: null,
    views: 0,
    maxViews: null,
  };
}

const snippetOf = (row: Row, paths: Paths): SourceItem => ({
  ...PLAIN,
  kind: 'paste',
  key: `snippet ${text(row.id)}`,
  owner: text(row.userId),
  id: text(row.identifier),
  addresses: [addressBelow(paths.snippets ?? '', `${text(row.identifier)}/raw`)],
  pages: [addressBelow(paths.snippets ?? '', text(row.identifier) ?? '')],
  createdAt: moment(row.createdAt) ?? Date.now(),
  rows: [row],
  title: text(row.name),
  content: text(row.content) ?? '',
  language: text(row.language),
  burn: false,
});

const linkOf = (row: Row, paths: Paths): SourceItem => ({
  ...PLAIN,
  kind: 'url',
  key: `shortened link ${text(row.id)}`,
  owner: text(row.userId),
  id: text(row.identifier),
  addresses: [addressBelow(paths.links ?? '', text(row.identifier) ?? '')],
  createdAt: moment(row.createdAt) ?? Date.now(),
  rows: [row],
  target: text(row.destination) ?? '',
  visits: whole(row.views) ?? 0,
  maxUses: null,
  note: null,
  forwardQuery: false,
});

/** Albums, each under the addresses of its links. One that no link opens was seen by its owner only. */
async function* albumsOf(tables: KnownTables, paths: Paths): AsyncGenerator<SourceItem> {
  const files = await pairsOf(tables, { table: '_albumsTofiles', of: 'A', with: 'B' });
  const links = new Map<string, Row[]>();
  for await (const row of tables.rows('links')) {
    const album = text(row.albumId) ?? '';
    links.set(album, [...(links.get(album) ?? []), row]);
  }
  for await (const row of tables.rows('albums')) {
    const id = text(row.id) ?? '';
    const all = links.get(id) ?? [];
    const open = all.filter((link) => truth(link.enabled) && endOf(link) > Date.now());
    // The last of its links ends it. Those before it would open it longer than they may.
    const end = Math.max(0, ...open.map(endOf));
    const last = open.filter((link) => endOf(link) === end);
    const names = last.map((link) => text(link.identifier) ?? '');
    yield {
      ...PLAIN,
      kind: 'collection',
      key: `album ${id}`,
      owner: text(row.userId),
      id: names[0] ?? null,
      pages: names.map((name) => addressBelow(paths.albums ?? '', name)),
      createdAt: moment(row.createdAt) ?? Date.now(),
      expiresAt: Number.isFinite(end) && open.length > 0 ? end : null,
      isPublic: open.length > 0,
      restriction: open.length === 0 && all.length > 0 ? 'its links have expired or are switched off' : null,
      without: open.length > last.length ? ['links that end before the last one'] : [],
      rows: [row, ...all],
      title: text(row.name) ?? '',
      description: text(row.description),
      files: (files.get(id) ?? []).map((file) => `file ${file}`),
      views: all.reduce((sum, link) => sum + (whole(link.views) ?? 0), 0),
      maxViews: null,
    };
  }
}

/** When a link ends; never is infinite. An end that cannot be read has passed. */
const endOf = ({ expiresAt }: Row): number =>
  text(expiresAt) === null ? Number.POSITIVE_INFINITY : (moment(expiresAt) ?? 0);
