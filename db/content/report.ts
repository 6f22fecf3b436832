import type { Db } from '../engine/connect.js';
import { type Condition, ifGiven, type Page, queryPage, type Window } from '../engine/paging.js';
import type { Queryable } from '../engine/queryable.js';
import type { Kind } from './kinds.js';

/** What can be reported. */
export type ReportKind = Kind | 'collection';

/** What somebody says is wrong with an item, and what became of it. */
export interface Report {
  readonly id: number;
  readonly kind: ReportKind;
  /** The row of the item, which may be gone. */
  readonly itemId: number;
  readonly uniqueId: string;
  /** Whose item it is. */
  readonly ownerId: number;
  /** Who reports it; null for somebody without an account. */
  readonly reporterId: number | null;
  readonly reason: string;
  readonly details: string | null;
  readonly email: string | null;
  /** The network that sent it, as a keyed hash; null for reports of earlier versions. */
  readonly sentFrom: string | null;
  readonly createdAt: number;
  /** How often the same network has reported it without an account while this was open. */
  readonly times: number;
  readonly resolvedAt: number | null;
  readonly resolvedBy: number | null;
  readonly action: string | null;
  readonly note: string | null;
}

interface Row {
  id: number;
  kind: ReportKind;
  item_id: number;
  unique_id: string;
  owner_id: number;
  reporter_id: number | null;
  reason: string;
  details: string | null;
  email: string | null;
  sent_from: string | null;
  created_at: number;
  times: number;
  resolved_at: number | null;
  resolved_by: number | null;
  action: string | null;
  note: string | null;
}

const fromRow = (row: Row): Report => ({
  id: row.id,
  kind: row.kind,
  itemId: row.item_id,
  uniqueId: row.unique_id,
  ownerId: row.owner_id,
  reporterId: row.reporter_id,
  reason: row.reason,
  details: row.details,
  email: row.email,
  sentFrom: row.sent_from,
  createdAt: row.created_at,
  times: row.times,
  resolvedAt: row.resolved_at,
  resolvedBy: row.resolved_by,
  action: row.action,
  note: row.note,
});

type NewReport = Omit<Report, 'id' | 'times' | 'resolvedAt' | 'resolvedBy' | 'action' | 'note'>;

/**
 * Stores a report in place of the open one of the same item that the same account sent before. People without an account
 * may share a network, so that none of them replaces what another wrote: a further one of theirs is only counted. If
 * there are `max` open ones of the item, the oldest makes room, so that nobody can fill the queue before others.
 */
export async function insertReport(trx: Queryable, report: NewReport, max: number): Promise<void> {
  const { kind, itemId, reporterId, sentFrom } = report;
  const open = () => trx('reports').where({ kind, item_id: itemId }).whereNull('resolved_at');
  if (reporterId !== null) await open().where('reporter_id', reporterId).delete();
  else if ((await open().where({ reporter_id: null, sent_from: sentFrom }).increment('times', 1)) > 0) return;
  const others: { id: number }[] = await open()
    .orderBy('id', 'desc')
    .offset(max - 1)
    .limit(max)
    .select('id');
  if (others.length > 0)
    await trx('reports')
      .whereIn(
        'id',
        others.map(({ id }) => id),
      )
      .delete();
  await trx('reports').insert({
    kind,
    item_id: itemId,
    unique_id: report.uniqueId,
    owner_id: report.ownerId,
    reporter_id: report.reporterId,
    reason: report.reason,
    details: report.details,
    email: report.email,
    sent_from: report.sentFrom,
    created_at: report.createdAt,
  });
}

/** Reports, newest first: open ones, resolved ones or, with null, all; of one reporter or, with null, of all. */
export async function listReports(
  db: Db,
  { open, reporterId }: { readonly open: boolean | null; readonly reporterId: number | null },
  window: Window,
): Promise<Page<Report>> {
  const where: Condition[] = [
    open === null ? null : [open ? 'resolved_at IS NULL' : 'resolved_at IS NOT NULL'],
    ifGiven(reporterId, 'reporter_id = ?'),
  ];
  return queryPage(db, { from: 'reports', where }, window, fromRow);
}

/** The report with this row id, or null. */
export async function reportById(db: Queryable, id: number): Promise<Report | null> {
  const row: Row | undefined = await db('reports').where('id', id).first();
  return row === undefined ? null : fromRow(row);
}

/** Records what became of a report, and of the other open ones of the same item. */
export async function resolveReports(
  trx: Queryable,
  { id, kind, itemId }: Report,
  how: { readonly at: number; readonly by: number; readonly action: string; readonly note: string | null },
): Promise<void> {
  await trx('reports')
    .where((which) =>
      which
        .where('id', id)
        .orWhere((other) => other.where({ kind, item_id: itemId }).whereNull('resolved_at')),
    )
    .update({ resolved_at: how.at, resolved_by: how.by, action: how.action, note: how.note });
}

/** Removes what names the reporter from the reports of an account that is deleted; the reports stay. */
export async function forgetReporter(trx: Queryable, userId: number): Promise<void> {
  await trx('reports')
    .where('reporter_id', userId)
    .update({ reporter_id: null, details: null, email: null, sent_from: null });
}
