import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { type RequestRow, requestFromRow, type UploadRequest } from './upload-request.js';

/**
 * Makes a mail about arrivals due, at the earliest `pauseMs` after the last one. Returns when; null if one is due
 * already.
 */
export async function makeNoticeDue(
  trx: Queryable,
  { id, notifiedAt }: Pick<UploadRequest, 'id' | 'notifiedAt'>,
  at: number,
  pauseMs: number,
): Promise<number | null> {
  const due = Math.max(at, (notifiedAt ?? 0) + pauseMs);
  const made = await trx('upload_requests').where('id', id).whereNull('notice_at').update({ notice_at: due });
  return made > 0 ? due : null;
}

/** Takes a mail that is due: the request, and what came in since the last one; null if it is gone or nothing is due. */
export async function takeNotice(
  trx: Queryable,
  id: number,
  at: number,
): Promise<{ readonly request: UploadRequest; readonly names: string[]; readonly total: number } | null> {
  const before: RequestRow | undefined = await trx('upload_requests').where('id', id).forUpdate().first();
  if (before === undefined) return null;
  const taken = await trx('upload_requests')
    .where('id', id)
    .whereNotNull('notice_at')
    .update({ notice_at: null, notified_at: at });
  if (taken === 0) return null;
  const since = before.notified_at ?? 0;
  const files: { name: string }[] = await trx('upload_request_files')
    .select('name')
    .where('request_id', id)
    .andWhere('received_at', '>', since)
    .orderBy('id')
    .limit(20);
  const [counted] = await query<{ total: number }>(
    trx,
    'SELECT count(*) AS total FROM upload_request_files WHERE request_id = ? AND received_at > ?',
    [id, since],
  );
  return {
    request: requestFromRow(before),
    names: files.map(({ name }) => name),
    total: counted?.total ?? 0,
  };
}
