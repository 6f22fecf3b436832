import {
  addressBelow,
  fileBelow,
  OUTSIDE,
  PLAIN,
  type Product,
  refused,
  type SourceAccount,
  type SourceItem,
} from '../port.js';
import { type Known, type KnownTables, openKnown } from '../tables/known.js';
import { namesOf, pairsOf } from '../tables/pairs.js';
import type { Row } from '../tables/tables.js';
import { moment, text, truth, whole } from '../tables/values.js';
import { checkable } from './hashes.js';

const KNOWN: Known = {
  product: 'Slink 1',
  tables: {
    user: {
      needs: ['uuid', 'email', 'password', 'created_at'],
      may: ['username', 'display_name', 'updated_at', 'status'],
      ids: ['uuid'],
      hasAccounts: true,
    },
    image: {
      needs: ['uuid', 'user_id', 'file_name', 'description', 'is_public', 'created_at', 'views'],
      may: ['updated_at', 'size', 'mime_type', 'width', 'height', 'sha1_hash', 'license', 'bookmark_count'],
      ids: ['uuid'],
    },
    tag: {
      needs: ['uuid', 'name'],
      may: ['user_id', 'parent_id', 'path', 'created_at', 'updated_at'],
      ids: ['uuid'],
      isOptional: true,
    },
    image_to_tag: { needs: ['image_id', 'tag_id'], ids: [], isOptional: true },
    collection: {
      needs: ['uuid', 'name', 'description', 'created_at', 'user_id'],
      may: ['updated_at', 'cover_image_id'],
      ids: ['uuid'],
      isOptional: true,
    },
    collection_item: {
      needs: ['item_id', 'collection_id'],
      may: ['uuid', 'item_type', 'position', 'added_at'],
      ids: ['uuid'],
      isOptional: true,
    },
    share: {
      needs: ['uuid'],
      may: [
        ...['target_url', 'created_at', 'shareable_id', 'shareable_type', 'image_id', 'is_published'],
        ...['expires_at', 'password_hash', 'updated_at'],
      ],
      ids: ['uuid'],
      isOptional: true,
    },
    short_url: { needs: ['share_id', 'short_code'], may: ['uuid'], ids: ['uuid'], isOptional: true },
  },
  others: [
    ...['api_key', 'bookmark', 'comment', 'notification', 'oauth_link', 'oauth_provider', 'refresh_token'],
    ...['refresh_tokens', 'role', 'setting', 'settings', 'tag_closure', 'user_preferences', 'user_role'],
    ...['user_to_role', 'event_store', 'events', 'messenger_messages'],
  ],
};

/** Slink 1: its SQLite database, and the folder with its images. */
export const slink: Product = {
  needs: { database: true, files: true },
  paths: { files: '/image', shares: '/i', collections: '/c' },
  async open({ database, files, paths, ignored }) {
    const tables = await openKnown(database ?? '', KNOWN, ignored);
    return {
      async *accounts() {
        for await (const row of tables.rows('user')) {
          const account = accountOf(row);
          if (account !== null) yield account;
        }
      },
      async *items() {
        const [shares, tags, inside] = [
          await sharesOf(tables),
          await namesOf(
            tables,
            { table: 'image_to_tag', of: 'image_id', with: 'tag_id' },
            { table: 'tag', id: 'uuid', name: 'name' },
          ),
          await pairsOf(tables, { table: 'collection_item', of: 'collection_id', with: 'item_id' }),
        ];
        for await (const row of tables.rows('image')) yield imageOf(row, files ?? '', paths, shares, tags);
        for await (const row of tables.rows('collection')) yield collectionOf(row, paths, shares, inside);
      },
      leftOut: () => tables.strangers,
      close: () => tables.close(),
    };
  },
};

type Paths = Readonly<Record<string, string>>;

/** Who has deleted the account has neither a name nor an address any more. */
function accountOf(row: Row): SourceAccount | null {
  const email = text(row.email);
  const username = text(row.username) ?? text(row.display_name) ?? email?.split('@')[0] ?? '';
  const status = text(row.status) ?? 'active';
  if (status === 'deleted' || (email === null && text(row.username) === null)) return null;
  return {
    key: text(row.uuid) ?? '',
    username,
    email,
    passwordHash: checkable(text(row.password)),
    createdAt: moment(row.created_at) ?? Date.now(),
    // Until an administrator has approved it, an account is inactive.
    isBanned: !['active', 'inactive'].includes(status),
    isConfirmed: status !== 'inactive',
    rows: [row],
  };
}

/** Who may see something by its links, and under which addresses. */
interface Shared {
  isPublic: boolean;
  passwordHash: string | null;
  codes: string[];
  rows: Row[];
  /** Whether a link with an end opens it. */
  hasEnd: boolean;
}

/** What was shared, by its id; null for a release that had no shares, and showed everything by its address. */
async function sharesOf(tables: KnownTables): Promise<ReadonlyMap<string, Shared> | null> {
  if (!tables.has('share')) return null;
  const codes = new Map<string, string>();
  for await (const row of tables.rows('short_url'))
    codes.set(text(row.share_id) ?? '', text(row.short_code) ?? '');
  const shares = new Map<string, Shared>();
  for await (const row of tables.rows('share')) {
    const id = text(row.shareable_id) ?? text(row.image_id) ?? '';
    // With an end, it would be deleted here when the link ends.
    const isOpen =
      (row.is_published === undefined || truth(row.is_published)) && moment(row.expires_at) === null;
    const known = shares.get(id) ?? {
      ...{ isPublic: false, passwordHash: null, codes: [], rows: [], hasEnd: false },
    };
    const password = text(row.password_hash);
    const code = codes.get(text(row.uuid) ?? '');
    shares.set(id, {
      isPublic: known.isPublic || isOpen,
      // One of several links with a password protects it under all of them.
      passwordHash: isOpen ? (password ?? known.passwordHash) : known.passwordHash,
      codes: code === undefined || !isOpen ? known.codes : [...known.codes, code],
      rows: [...known.rows, row],
      hasEnd: known.hasEnd || moment(row.expires_at) !== null,
    });
  }
  return shares;
}

/** Why something comes private that a link opens there; null if none does, or it comes open. */
const restrictionOf = (shared: Shared | undefined): string | null =>
  shared !== undefined && !shared.isPublic && shared.hasEnd ? 'only a link with an end opens it' : null;

function imageOf(
  row: Row,
  folder: string,
  paths: Paths,
  shares: ReadonlyMap<string, Shared> | null,
  tags: (id: string) => readonly string[],
): SourceItem {
  const id = text(row.uuid) ?? '';
  const key = `image ${id}`;
  const name = text(row.file_name) ?? '';
  const bytes = fileBelow(folder, name);
  if (bytes === null) return refused('image', key, OUTSIDE);
  const shared = shares?.get(id);
  const isPublic = truth(row.is_public);
  return {
    ...PLAIN,
    kind: 'image',
    key,
    owner: text(row.user_id),
    id,
    addresses: [
      addressBelow(paths.files ?? '', name),
      ...(shared?.codes ?? []).map((code) => addressBelow(paths.shares ?? '', code)),
    ],
    createdAt: moment(row.created_at) ?? Date.now(),
    isPublic: isPublic || shares === null || (shared?.isPublic ?? false),
    // Everybody could see a public image without the password of a link.
    passwordHash: isPublic ? null : (shared?.passwordHash ?? null),
    restriction: isPublic ? null : restrictionOf(shared),
    tags: tags(id),
    rows: [row, ...(shared?.rows ?? [])],
    bytes,
    name,
    description: text(row.description) || null,
    views: whole(row.views) ?? 0,
    maxViews: null,
  };
}

function collectionOf(
  row: Row,
  paths: Paths,
  shares: ReadonlyMap<string, Shared> | null,
  inside: ReadonlyMap<string, readonly string[]>,
): SourceItem {
  const id = text(row.uuid) ?? '';
  const shared = shares?.get(id);
  return {
    ...PLAIN,
    kind: 'collection',
    key: `collection ${id}`,
    owner: text(row.user_id),
    id,
    pages: [
      addressBelow('collection', id),
      ...(shared?.codes ?? []).map((code) => addressBelow(paths.collections ?? '', code)),
    ],
    createdAt: moment(row.created_at) ?? Date.now(),
    isPublic: shared?.isPublic ?? false,
    passwordHash: shared?.passwordHash ?? null,
    restriction: restrictionOf(shared),
    rows: [row, ...(shared?.rows ?? [])],
    title: text(row.name) ?? '',
    description: text(row.description) || null,
    files: (inside.get(id) ?? []).map((item) => `image ${item}`),
    views: 0,
    maxViews: null,
  };
}
