import { addressBelow, fileBelow, OUTSIDE, type Product, type SourceItem } from '../port.js';
import { moment, openTables, type Row, text, truth, whole } from '../tables/index.js';
import { checkable } from './hashes.js';

/** Pingvin Share: `pingvin-share.db`, and the folder `uploads/shares`. Each share becomes a collection. */
export const pingvin: Product = {
  needs: { database: true, files: true },
  paths: { shares: '/s' },
  async open({ database, files, paths }) {
    const tables = await openTables(database ?? '');
    return {
      async *accounts() {
        for await (const row of tables.rows('User'))
          yield {
            key: text(row.id) ?? '',
            username: text(row.username) ?? '',
            email: text(row.email),
            passwordHash: checkable(text(row.password)),
            createdAt: moment(row.createdAt) ?? Date.now(),
            isBanned: false,
          };
      },
      async *items() {
        const security = new Map<string, Row>();
        for await (const row of tables.rows('ShareSecurity')) security.set(text(row.shareId) ?? '', row);
        const shares = new Map<string, Row>();
        for await (const row of tables.rows('Share')) shares.set(text(row.id) ?? '', row);
        const byShare = new Map<string, string[]>();
        for await (const row of tables.rows('File')) {
          const share = text(row.shareId) ?? '';
          byShare.set(share, [...(byShare.get(share) ?? []), `file ${text(row.id)}`]);
          yield fileOf(row, shares.get(share), security.get(share), files ?? '');
        }
        for (const [id, row] of shares) yield shareOf(row, security.get(id), paths, byShare.get(id) ?? []);
      },
      close: () => tables.close(),
    };
  },
};

/** The end of a share that never ends: Pingvin stores the beginning of the epoch. */
const endOf = (share: Row | undefined): number | null => moment(share?.expiration) || null;

/** Why a share does not come, with its files; null if it does. */
function reasonAgainst(share: Row | undefined, security: Row | undefined): string | null {
  if (share === undefined) return 'its share is missing';
  if (text(share.removedReason)) return `was removed: ${text(share.removedReason)}`;
  if (share.uploadLocked !== undefined && !truth(share.uploadLocked)) return 'was never completed';
  const most = whole(security?.maxViews);
  return most !== null && (whole(share.views) ?? 0) >= most ? 'has no views left' : null;
}

function fileOf(row: Row, share: Row | undefined, security: Row | undefined, folder: string): SourceItem {
  const [id, shareId] = [text(row.id) ?? '', text(row.shareId) ?? ''];
  const key = `file ${id}`;
  const path = fileBelow(folder, shareId, id);
  const reason = path === null ? OUTSIDE : reasonAgainst(share, security);
  if (path === null || reason !== null) return { kind: 'refused', key, reason: reason ?? OUTSIDE };
  return {
    kind: 'image',
    key,
    owner: text(share?.creatorId),
    id: null,
    // What its share counts would not be counted there.
    addresses:
      text(security?.maxViews) === null ? [addressBelow('api/shares', `${shareId}/files/${id}`)] : [],
    pages: [],
    createdAt: moment(row.createdAt) ?? Date.now(),
    expiresAt: endOf(share),
    // Here a file has an address of its own, which the password of its share has to protect as well.
    passwordHash: text(security?.password),
    isPublic: true,
    tags: [],
    bytes: path,
    name: text(row.name),
    description: null,
    views: 0,
    maxViews: null,
  };
}

function shareOf(
  row: Row,
  security: Row | undefined,
  paths: Readonly<Record<string, string>>,
  files: string[],
): SourceItem {
  const id = text(row.id) ?? '';
  const key = `share ${id}`;
  const reason = reasonAgainst(row, security);
  if (reason !== null) return { kind: 'refused', key, reason };
  return {
    kind: 'collection',
    key,
    owner: text(row.creatorId),
    id,
    addresses: [],
    pages: [addressBelow(paths.shares ?? '', id), addressBelow('share', id)],
    createdAt: moment(row.createdAt) ?? Date.now(),
    expiresAt: endOf(row),
    passwordHash: text(security?.password),
    isPublic: true,
    title: text(row.name) ?? id,
    description: text(row.description),
    files,
    views: whole(row.views) ?? 0,
    maxViews: whole(security?.maxViews),
  };
}
