import type { Db } from '../engine/connect.js';
import { type Condition, ifGiven, type Page, queryPage, type Window } from '../engine/paging.js';
import { json } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Details of an entry besides its accounts. Never contains a secret, or the name or address of a person. */
export type AuditInfo = Readonly<Record<string, string | number | boolean | null>>;

/** A security-relevant event. */
export interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly event: string;
  /** Who did it; null if the caller was not authenticated. */
  readonly actorId: number | null;
  /** The affected account. */
  readonly subjectId: number | null;
  readonly ipAddress: string | null;
  readonly details: AuditInfo;
}

interface Row {
  id: number;
  at: number;
  event: string;
  actor_id: number | null;
  subject_id: number | null;
  ip_address: string | null;
  details: string;
}

const fromRow = (row: Row): AuditEntry => ({
  id: row.id,
  at: row.at,
  event: row.event,
  actorId: row.actor_id,
  subjectId: row.subject_id,
  ipAddress: row.ip_address,
  details: json<AuditInfo>(row.details),
});

/** Appends an entry; it is kept only if the transaction commits. */
export async function insertAudit(trx: Queryable, entry: Omit<AuditEntry, 'id'>): Promise<void> {
  await trx('audit_log').insert({
    at: entry.at,
    event: entry.event,
    actor_id: entry.actorId,
    subject_id: entry.subjectId,
    ip_address: entry.ipAddress,
    details: JSON.stringify(entry.details),
  });
}

/** Entries, newest first, optionally of one event or one account. */
export async function listAudit(
  db: Db,
  filter: { readonly event: string | null; readonly userId: number | null },
  window: Window,
): Promise<Page<AuditEntry>> {
  const { event, userId } = filter;
  const where: Condition[] = [
    ifGiven(event, 'event = ?'),
    userId === null ? null : ['(actor_id = ? OR subject_id = ?)', userId, userId],
  ];
  return queryPage(db, { from: 'audit_log', where }, window, fromRow);
}

/** Clears personal data from the entries that name an account; the entries themselves stay. */
export async function forgetInAudit(trx: Queryable, userId: number): Promise<void> {
  await trx('audit_log')
    .where((query) => query.where('actor_id', userId).orWhere('subject_id', userId))
    .update({ ip_address: null, details: '{}' });
}

/** Removes entries made before `at`, the oldest first, at most `limit`; returns how many. */
export async function deleteAuditBefore(trx: Queryable, at: number, limit: number): Promise<number> {
  const oldest = trx('audit_log').select('id').where('at', '<', at).orderBy('at').limit(limit);
  return trx('audit_log').whereIn('id', oldest).delete();
}
