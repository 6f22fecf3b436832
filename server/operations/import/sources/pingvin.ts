import { addressBelow, fileBelow, OUTSIDE, PLAIN, type Product, refused, type SourceItem } from '../port.js';
import { type Known, type KnownTables, openKnown } from '../tables/known.js';
import type { Row } from '../tables/tables.js';
import { moment, text, truth, whole } from '../tables/values.js';
import { usualAccount } from './account.js';

const KNOWN: Known = {
  product: 'Pingvin Share 0 or 1, or Pingvin Share X',
  tables: {
    User: {
      needs: ['id', 'username', 'email', 'password', 'createdAt'],
      may: ['updatedAt', 'isAdmin', 'ldapDN', 'totpEnabled', 'totpVerified', 'totpSecret'],
      hasAccounts: true,
    },
    Share: {
      needs: ['id', 'createdAt', 'uploadLocked', 'views', 'expiration', 'creatorId'],
      may: [
        ...['updatedAt', 'name', 'isZipReady', 'description', 'removedReason', 'reverseShareId'],
        ...['storageProvider'],
      ],
    },
    ShareSecurity: {
      needs: ['shareId', 'password', 'maxViews'],
      may: ['id', 'createdAt', 'restrictToRecipients'],
    },
    File: { needs: ['id', 'createdAt', 'name', 'shareId'], may: ['size'] },
    ReverseShare: {
      needs: ['id', 'creatorId'],
      may: [
        ...[
          'createdAt',
          'token',
          'shareExpiration',
          'maxShareSize',
          'sendEmailNotification',
          'used',
          'shareId',
        ],
        ...['remainingUses', 'simplified', 'publicAccess'],
      ],
      isOptional: true,
    },
    ShareRecipient: { needs: ['shareId'], may: ['id', 'email'], isOptional: true },
    ShareUserRecipient: { needs: ['shareId'], may: ['id', 'createdAt', 'userId'], isOptional: true },
  },
  others: ['Config', 'RefreshToken', 'LoginToken', 'ResetPasswordToken', 'OAuthUser'],
};

/** Pingvin Share: `pingvin-share.db`, and the folder `uploads/shares`. Each share becomes a collection. */
export const pingvin: Product = {
  needs: { database: true, files: true },
  paths: { shares: '/s' },
  async open({ database, files, paths, ignored }) {
    const tables = await openKnown(database ?? '', KNOWN, ignored);
    let requests = 0;
    return {
      async *accounts() {
        for await (const row of tables.rows('User')) yield usualAccount(row);
      },
      async *items() {
        const { shares, reverse } = await sharesOf(tables);
        requests = reverse;
        const byShare = new Map<string, string[]>();
        for await (const row of tables.rows('File')) {
          const id = text(row.shareId) ?? '';
          byShare.set(id, [...(byShare.get(id) ?? []), `file ${text(row.id)}`]);
          yield fileOf(row, shares.get(id), files ?? '');
        }
        for (const [id, share] of shares) yield shareOf(id, share, paths, byShare.get(id) ?? []);
      },
      leftOut: () => [...tables.strangers, ...(requests > 0 ? [`${requests} reverse shares`] : [])],
      close: () => tables.close(),
    };
  },
};

/** A share, with what says who may see it. */
interface Share {
  readonly row: Row;
  readonly security: Row | undefined;
  readonly owner: string | null;
  readonly restriction: string | null;
  readonly hasRecipients: boolean;
  readonly rows: readonly (Row | undefined)[];
}

/** All shares by their ids, and the number of reverse shares. */
async function sharesOf(tables: KnownTables): Promise<{ shares: Map<string, Share>; reverse: number }> {
  const security = await rowsBy(tables, 'ShareSecurity', 'shareId');
  const reverse = await rowsBy(tables, 'ReverseShare', 'id');
  // In old releases a reverse share names its only share.
  const reverseOf = await rowsBy(tables, 'ReverseShare', 'shareId');
  const recipients = new Map([
    ...(await rowsBy(tables, 'ShareRecipient', 'shareId')),
    ...(await rowsBy(tables, 'ShareUserRecipient', 'shareId')),
  ]);
  const shares = new Map<string, Share>();
  for await (const row of tables.rows('Share')) {
    const id = text(row.id) ?? '';
    const through = reverse.get(text(row.reverseShareId) ?? '') ?? reverseOf.get(id);
    const isLost = text(row.reverseShareId) !== null && through === undefined;
    const isClosed = through?.publicAccess !== undefined && !truth(through.publicAccess);
    const secured = security.get(id);
    shares.set(id, {
      row,
      security: secured,
      // Guests who sent it have no account; who asked them to can open what nobody else may.
      owner: isClosed ? text(through?.creatorId) : (text(row.creatorId) ?? text(through?.creatorId)),
      restriction: isLost
        ? 'its reverse share is missing'
        : isClosed
          ? 'only the owner of its reverse share may open it'
          : truth(secured?.restrictToRecipients)
            ? 'only its recipients may open it'
            : null,
      hasRecipients: recipients.has(id),
      rows: [row, secured, through, recipients.get(id)],
    });
  }
  return { shares, reverse: reverse.size };
}

async function rowsBy(tables: KnownTables, table: string, column: string): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>();
  for await (const row of tables.rows(table)) {
    const key = text(row[column]);
    if (key !== null) rows.set(key, row);
  }
  return rows;
}

/** The end of a share that never ends: Pingvin stores the beginning of the epoch. */
const endOf = (share: Row): number | null => moment(share.expiration) || null;

/** How often a share may be opened; there, none is no limit. */
const limitOf = (security: Row | undefined): number | null => whole(security?.maxViews) || null;

/** Why a share does not come, with its files; null if it does. */
function reasonAgainst({ row, security }: Share): string | null {
  if (text(row.removedReason)) return `was removed: ${text(row.removedReason)}`;
  if (!truth(row.uploadLocked)) return 'was never completed';
  if ((text(row.storageProvider) ?? 'LOCAL') !== 'LOCAL')
    return 'is in a bucket: copy its files into the folder first';
  const most = limitOf(security);
  return most !== null && (whole(row.views) ?? 0) >= most ? 'has no views left' : null;
}

/** What the files of a share have in common with it: here a file has an address of its own. */
const boundsOf = ({ row, security, owner, restriction, rows }: Share) => ({
  ...PLAIN,
  owner,
  expiresAt: endOf(row),
  passwordHash: text(security?.password),
  restriction,
  rows,
  views: whole(row.views) ?? 0,
  maxViews: limitOf(security),
});

function fileOf(row: Row, share: Share | undefined, folder: string): SourceItem {
  const [id, shareId] = [text(row.id) ?? '', text(row.shareId) ?? ''];
  const key = `file ${id}`;
  if (share === undefined) return refused('image', key, 'its share is missing');
  const path = fileBelow(folder, shareId, id);
  const reason = path === null ? OUTSIDE : reasonAgainst(share);
  if (path === null || reason !== null) return refused('image', key, reason ?? OUTSIDE);
  const bounds = boundsOf(share);
  return {
    ...bounds,
    kind: 'image',
    key,
    // What its share counts would not be counted there.
    addresses: bounds.maxViews === null ? [addressBelow('api/shares', `${shareId}/files/${id}`)] : [],
    createdAt: moment(row.createdAt) ?? Date.now(),
    rows: [row, ...bounds.rows],
    bytes: path,
    name: text(row.name),
    description: null,
    views: bounds.maxViews === null ? 0 : bounds.views,
  };
}

function shareOf(
  id: string,
  share: Share,
  paths: Readonly<Record<string, string>>,
  files: string[],
): SourceItem {
  const { row } = share;
  const key = `share ${id}`;
  const reason = reasonAgainst(share);
  if (reason !== null) return refused('collection', key, reason);
  return {
    ...boundsOf(share),
    kind: 'collection',
    key,
    id,
    pages: [addressBelow(paths.shares ?? '', id), addressBelow('share', id)],
    createdAt: moment(row.createdAt) ?? Date.now(),
    without: share.hasRecipients ? ['its recipients'] : [],
    title: text(row.name) ?? id,
    description: text(row.description),
    files,
  };
}
