import type { Db } from '../../engine/connect.js';
import { type Page, queryPage, type Window } from '../../engine/paging.js';
import type { Queryable } from '../../engine/queryable.js';

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
}

/** Notes that a file came in. */
export async function insertRequestFile(
  trx: Queryable,
  file: Omit<RequestFile, 'id' | 'itemId' | 'seal'> & {
    readonly requestId: number;
    readonly imageId: number;
  },
): Promise<void> {
  await trx('upload_request_files').insert({
    request_id: file.requestId,
    image_id: file.imageId,
    name: file.name,
    size: file.size,
    sender: file.sender,
    received_at: file.receivedAt,
  });
}

/** What came in by a request, newest first. */
export const requestFiles = (db: Db, requestId: number, window: Window): Promise<Page<RequestFile>> =>
  queryPage(
    db,
    {
      columns: 'f.*, c.unique_id AS item_id, c.seal',
      from: 'upload_request_files f LEFT JOIN images c ON c.id = f.image_id',
      where: [['f.request_id = ?', requestId]],
      order: 'f.id DESC',
    },
    window,
    (row: {
      id: number;
      item_id: string | null;
      name: string;
      size: number;
      sender: string | null;
      received_at: number;
      seal: string | null;
    }) => ({
      id: row.id,
      itemId: row.item_id,
      name: row.name,
      size: row.size,
      sender: row.sender,
      receivedAt: row.received_at,
      seal: row.seal,
    }),
  );
