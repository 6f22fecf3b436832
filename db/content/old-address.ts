import { DELETED_USERS } from '../account/account.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { type OwnedKind, tableOf } from './kinds.js';
import { KEPT } from './life.js';

/** The longest address that is kept and asked for, in bytes as in characters. */
export const MAX_ADDRESS_LENGTH = 1_024;

/** An address that an item had in another product. */
interface OldAddress {
  /** The path without the slash in front, decoded; upper and lower case differ. */
  readonly address: string;
  readonly kind: OwnedKind;
  readonly itemId: number;
  /** Whether a page was there, and not the content itself. */
  readonly asPage: boolean;
}

/** Where an address leads. */
interface OldTarget extends Pick<OldAddress, 'kind' | 'asPage'> {
  readonly uniqueId: string;
  readonly isProtected: boolean;
  /** The file of a paste that the address ends with; null for others. */
  readonly file: string | null;
}

/** Keeps an address, unless another item has it. */
export async function keepOldAddress(
  trx: Queryable,
  { address, kind, itemId, asPage }: OldAddress,
): Promise<void> {
  await query(
    trx,
    'INSERT INTO old_addresses (address, kind, item_id, as_page) VALUES (?, ?, ?, ?) ON CONFLICT (address) DO NOTHING',
    [address, kind, itemId, asPage],
  );
}

/** The column of the files that an item has. */
const FILE_NAMES: Readonly<Partial<Record<OwnedKind, string>>> = { paste: 'file_names' };

/** Where an address leads; null if nobody had it, or its item is gone. */
export async function oldTarget(db: Queryable, address: string): Promise<OldTarget | null> {
  const [old] = await query<{ kind: OwnedKind; item_id: number; as_page: boolean | number }>(
    db,
    'SELECT kind, item_id, as_page FROM old_addresses WHERE address = ?',
    [address],
  );
  if (old === undefined) return null;
  const [item] = await query<{ unique_id: string; password_hash: string | null; file_names: string | null }>(
    db,
    `SELECT unique_id, password_hash, ${FILE_NAMES[old.kind] ?? 'NULL'} AS file_names FROM ${tableOf(old.kind)}
     WHERE id = ? AND ${KEPT} AND owner_id NOT IN ${DELETED_USERS}`,
    [old.item_id],
  );
  if (item === undefined) return null;
  return {
    kind: old.kind,
    asPage: Boolean(old.as_page),
    uniqueId: item.unique_id,
    isProtected: item.password_hash !== null,
    file: item.file_names?.split('\n').find((name) => address.endsWith(`/${name}`)) ?? null,
  };
}
