import { DELETED_USERS } from '../../account/account.js';
import type { Db } from '../../engine/connect.js';
import { type Page, queryPage, type Window } from '../../engine/paging.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { type Image, type ImageRow, imageFromRow } from '../file/image.js';
import { KEPT, UNQUARANTINED } from '../life.js';
import type { Wall } from './upload-request.js';

/** A file that came in by a request. */
export interface RequestFile {
  readonly id: number;
  /** The id of the item; null if it was deleted. */
  readonly itemId: string | null;
  readonly name: string;
  readonly size: number;
  /** The name that the sender gave; null for none. */
  readonly sender: string | null;
  readonly receivedAt: number;
  /** The sealed name of a sealed file, "" without one; null for others, and once the item is deleted. */
  readonly seal: string | null;
  /** Whether the owner let it through to the wall; null if that is not decided. */
  readonly approved: boolean | null;
}

interface Row {
  id: number;
  item_id: string | null;
  name: string;
  size: number;
  sender: string | null;
  received_at: number;
  approved: boolean | number | null;
  seal: string | null;
}

const fromRow = (row: Row): RequestFile => ({
  id: row.id,
  itemId: row.item_id,
  name: row.name,
  size: row.size,
  sender: row.sender,
  receivedAt: row.received_at,
  approved: row.approved === null ? null : Boolean(row.approved),
  seal: row.seal,
});

/** Notes that a file came in; false if one came with the same receipt before. */
export async function insertRequestFile(
  trx: Queryable,
  file: Omit<RequestFile, 'id' | 'itemId' | 'approved' | 'seal'> & {
    readonly requestId: number;
    readonly imageId: number;
    readonly receiptHash: string;
  },
): Promise<boolean> {
  const added = await query(
    trx,
    `INSERT INTO upload_request_files (request_id, image_id, name, size, sender, received_at, receipt_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (request_id, receipt_hash) DO NOTHING RETURNING id`,
    [file.requestId, file.imageId, file.name, file.size, file.sender, file.receivedAt, file.receiptHash],
  );
  return added.length > 0;
}

const WITH_ITEM = 'upload_request_files f LEFT JOIN images c ON c.id = f.image_id';
const COLUMNS = 'f.*, c.unique_id AS item_id, c.seal';

/** What came in by a request, newest first; `waiting` for what exists and nobody has decided about. */
export const requestFiles = (
  db: Db,
  { requestId, waiting = false }: { readonly requestId: number; readonly waiting?: boolean },
  window: Window,
): Promise<Page<RequestFile>> =>
  queryPage(
    db,
    {
      columns: COLUMNS,
      from: WITH_ITEM,
      where: [
        ['f.request_id = ?', requestId],
        waiting ? [`f.approved IS NULL AND c.${KEPT} AND c.id IS NOT NULL`] : null,
      ],
      order: 'f.id DESC',
    },
    window,
    fromRow,
  );

/** The file that came in with a receipt, or null. */
export async function fileByReceipt(
  db: Queryable,
  requestId: number,
  receiptHash: string,
): Promise<(RequestFile & { readonly imageId: number | null }) | null> {
  const [row] = await query<Row & { image_id: number | null }>(
    db,
    `SELECT ${COLUMNS} FROM ${WITH_ITEM} WHERE f.request_id = ? AND f.receipt_hash = ?`,
    [requestId, receiptHash],
  );
  return row === undefined ? null : { imageId: row.image_id, ...fromRow(row) };
}

/** The names of the newest files that came in by a request, the oldest of them first. */
export async function newestNames(trx: Queryable, requestId: number, limit: number): Promise<string[]> {
  const rows: { name: string }[] = await trx('upload_request_files')
    .select('name')
    .where('request_id', requestId)
    .orderBy('id', 'desc')
    .limit(limit);
  return rows.map(({ name }) => name).reverse();
}

/** Forgets that a file came in; false if that was forgotten before. */
export const deleteRequestFile = async (trx: Queryable, id: number): Promise<boolean> =>
  (await trx('upload_request_files').where('id', id).delete()) > 0;

/** Lets a file through to the wall, or no longer; false if it did not come in by the request. */
export const approveRequestFile = async (
  trx: Queryable,
  requestId: number,
  imageId: number,
  approved: boolean,
): Promise<boolean> =>
  (await trx('upload_request_files')
    .where({ request_id: requestId, image_id: imageId })
    .update({ approved })) > 0;

/** A file on a wall, with its item. */
export interface WallFile {
  readonly image: Image;
  readonly sender: string | null;
  readonly receivedAt: number;
}

const LIVING = `c.${KEPT} AND c.${UNQUARANTINED} AND (c.expires_at IS NULL OR c.expires_at > ?)
  AND c.owner_id NOT IN ${DELETED_USERS}`;

/** Which files of a request a wall shows: those that live at `at`, all of them or what was let through; one, if asked for. */
interface WallQuery {
  readonly requestId: number;
  readonly wall: Exclude<Wall, 'none'>;
  readonly at: number;
  /** The id of the item in lower case. */
  readonly itemKey?: string;
}

/** What a wall shows, newest first. */
export const wallFiles = (
  db: Db,
  { requestId, wall, at, itemKey }: WallQuery,
  window: Window,
): Promise<Page<WallFile>> =>
  queryPage(
    db,
    {
      columns: 'c.*, f.sender, f.received_at',
      from: 'upload_request_files f JOIN images c ON c.id = f.image_id',
      where: [
        ['f.request_id = ?', requestId],
        [LIVING, at],
        wall === 'approved' ? ['f.approved'] : null,
        itemKey === undefined ? null : ['c.lookup_id = ?', itemKey],
      ],
      order: 'f.id DESC',
    },
    window,
    (row: ImageRow & { sender: string | null; received_at: number }) => ({
      image: imageFromRow(row),
      sender: row.sender,
      receivedAt: row.received_at,
    }),
  );
