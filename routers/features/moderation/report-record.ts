import { z } from 'zod';
import type { Report } from '../../../db/content/report.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { summaryOrNull, userSummary } from '../../core/accounts/user-summary.js';
import type { Services } from '../../core/context.js';
import { nameOfReportable, REPORT_KINDS, type Reportable, reportable } from './reportable.js';

/** What a moderator does about a report. */
export const ACTIONS = ['none', 'quarantine', 'delete', 'ban'] as const;

/** A report as moderators see it. */
export const reportRecord = z.object({
  id: z.int(),
  kind: z.enum(REPORT_KINDS),
  uniqueId: z.string(),
  reason: z.string(),
  details: z.string().nullable(),
  email: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** How often it came from the same network without an account. */
  times: z.int(),
  status: z.enum(['open', 'resolved']),
  reporter: userSummary.nullable(),
  owner: userSummary.nullable(),
  /** The item now; null if it is gone. */
  item: z
    .object({
      name: z.string(),
      quarantine: z.string().nullable(),
      isPublic: z.boolean(),
      /** Whether nobody can look at its content. */
      sealed: z.boolean(),
    })
    .nullable(),
  action: z.enum(ACTIONS).nullable(),
  note: z.string().nullable(),
  resolvedAt: z.iso.datetime().nullable(),
  resolvedBy: userSummary.nullable(),
});

export type ReportRecord = z.output<typeof reportRecord>;

/** The item that a report is about; null if it is gone, even if another one has its id now. */
async function itemOf(app: Services, { kind, uniqueId, itemId }: Report): Promise<Reportable | null> {
  const item = await reportable(app, kind, uniqueId);
  return item?.id === itemId ? item : null;
}

/** A report with its item and people as they are now. */
export async function toRecord(app: Services, report: Report): Promise<ReportRecord> {
  const item = await itemOf(app, report);
  const name = item === null ? null : await nameOfReportable(app, report.kind, report.uniqueId);
  const [reporter, owner, resolvedBy] = await Promise.all(
    [report.reporterId, report.ownerId, report.resolvedBy].map((id) => summaryOrNull(app, id)),
  );
  return {
    id: report.id,
    kind: report.kind,
    uniqueId: report.uniqueId,
    reason: report.reason,
    details: report.details,
    email: report.email,
    createdAt: iso(report.createdAt),
    times: report.times,
    status: report.resolvedAt === null ? 'open' : 'resolved',
    reporter: reporter ?? null,
    owner: owner ?? null,
    item:
      item === null
        ? null
        : {
            name: name ?? report.uniqueId,
            quarantine: item.quarantine,
            isPublic: item.isPublic,
            sealed: typeof item.seal === 'string',
          },
    action: ACTIONS.find((action) => action === report.action) ?? null,
    note: report.note,
    resolvedAt: isoOrNull(report.resolvedAt),
    resolvedBy: resolvedBy ?? null,
  };
}
