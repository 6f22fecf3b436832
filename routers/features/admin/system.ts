import { z } from 'zod';
import { countUsers } from '../../../db/account/account-list.js';
import { listAudit } from '../../../db/account/audit.js';
import { wordFill } from '../../../db/content/file/words.js';
import { totalsByKind } from '../../../db/statistics/stats.js';
import { lastBackup } from '../../../db/system/installation.js';
import { jobCounts, retryFailed } from '../../../db/system/job.js';
import { byPlural } from '../../base/kinds.js';
import { windowOf } from '../../base/paging.js';
import type { HostFigures } from '../../base/ports/host.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { summaryOrNull, userSummary } from '../../core/accounts/user-summary.js';
import { AUDIT_EVENTS, audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { uidInput } from '../../core/items/ids.js';
import { describe, legacyTypeOf } from './audit-names.js';
import { pageAsked, pageCounts, pageInput, pageOutput } from './paging.js';

/**
 * Figures of the machine and the process under the names that older clients read: shares from 0 to 1, seconds and
 * bytes. 0 where the platform does not tell.
 */
const systemFigures = z.object({
  'system.cpu.usage': z.number(),
  'system.cpu.count': z.int(),
  'process.cpu.usage': z.number(),
  'process.uptime': z.number(),
  'process.start.time': z.number(),
  'jvm.memory.used': z.int(),
  'jvm.memory.committed': z.int(),
  'jvm.memory.max': z.int(),
  'disk.free': z.int(),
  'disk.total': z.int(),
  'process.files.open': z.int(),
  'process.files.max': z.int(),
});

/** The figures under the names of older clients. */
const toSystemFigures = (host: HostFigures): z.output<typeof systemFigures> => ({
  'system.cpu.usage': host.systemCpu,
  'system.cpu.count': host.processors,
  'process.cpu.usage': host.processCpu,
  'process.uptime': host.uptimeMs / 1000,
  'process.start.time': host.startedAt / 1000,
  'jvm.memory.used': host.memory.used,
  'jvm.memory.committed': host.memory.committed,
  'jvm.memory.max': host.memory.max,
  'disk.free': host.disk.free,
  'disk.total': host.disk.total,
  'process.files.open': host.openFiles ?? 0,
  'process.files.max': host.maxFiles ?? 0,
});

/** What the machine and this process are doing now. */
export const systemMetrics = systemFigures.extend({
  version: z.string(),
  startedAt: z.iso.datetime(),
  uptimeMs: z.int(),
  /** Memory of this process in bytes. */
  memory: z.int(),
  totals: z.object({
    users: z.int(),
    ...byPlural(() => z.int()),
    storageUsed: z.int(),
  }),
  jobs: z.array(
    z.object({ kind: z.string(), waiting: z.int(), failed: z.int(), oldestAt: z.iso.datetime().nullable() }),
  ),
  /** When the last complete backup was made; null for none. */
  lastBackupAt: z.iso.datetime().nullable(),
  /** The languages in which words in pictures are read, and which share of the older pictures is; null while none is. */
  reading: z.object({ languages: z.array(z.string()), older: z.number().nullable() }),
});

/** Metrics of this installation. */
export async function metricsOf(ctx: AccountContext): Promise<z.output<typeof systemMetrics>> {
  const { settings, db } = ctx.app;
  const [host, users, totals, jobs, fill, backedUpAt] = await Promise.all([
    ctx.app.readHost(),
    countUsers(db.read),
    totalsByKind(db, null),
    jobCounts(db),
    wordFill(db.read, 'picture'),
    lastBackup(db),
  ]);
  return {
    ...toSystemFigures(host),
    version: settings.version,
    startedAt: iso(settings.startedAt),
    uptimeMs: Math.round(process.uptime() * 1000),
    memory: process.memoryUsage.rss(),
    totals: {
      users,
      ...byPlural((kind) => totals[kind].items),
      storageUsed: totals.image.bytes,
    },
    jobs: jobs.map(({ oldest, ...job }) => ({ ...job, oldestAt: isoOrNull(oldest) })),
    lastBackupAt: isoOrNull(backedUpAt),
    reading: {
      languages: [...settings.ocr],
      older: fill === null ? null : fill.untilId === 0 ? 1 : fill.doneId / fill.untilId,
    },
  };
}

/** The kind of job to retry. */
export const retryInput = z.object({ kind: z.string().min(1).max(64) });

/** Retries the given-up jobs of a kind at once; returns how many. */
export async function retryJobs(ctx: AccountContext, { kind }: z.output<typeof retryInput>): Promise<number> {
  const { db, jobs } = ctx.app;
  const retried = await db.write(async (trx) => {
    const count = await retryFailed(trx, kind, Date.now());
    if (count > 0) await audit(ctx, trx, 'jobs.retried', { info: { kind, count } });
    return count;
  });
  jobs.kick();
  return retried;
}

/** Filters and page of the audit log; absent means any. */
export const auditInput = z.object({
  event: z.enum(AUDIT_EVENTS).nullish(),
  uid: uidInput.nullish(),
  ...pageInput,
  size: z.int().min(1).max(1000).nullish(),
});

/** A line of the audit log. */
export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  event: z.string(),
  actor: userSummary.nullable(),
  subject: userSummary.nullable(),
  /** Ids remain after an account is deleted. */
  actorId: z.int().nullable(),
  subjectId: z.int().nullable(),
  ipAddress: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** The same as older clients read it: `type` is their name of the event, `source` the address. */
  type: z.string(),
  user: userSummary.nullable(),
  description: z.string(),
  source: z.string().nullable(),
  time: z.iso.datetime(),
});
/** A page of the audit log. */
export const auditPage = z.object({ content: z.array(auditEntry), ...pageOutput });

/** Security-relevant events, newest first. */
export async function auditLog(
  ctx: AccountContext,
  input: z.output<typeof auditInput>,
): Promise<z.output<typeof auditPage>> {
  const { app } = ctx;
  const page = pageAsked(input);
  const filter = { event: input.event ?? null, userId: input.uid ?? null };
  const { items, total } = await listAudit(app.db, filter, windowOf(page));
  const content = await Promise.all(
    items.map(async (entry) => {
      const [actor, subject] = await Promise.all([
        summaryOrNull(app, entry.actorId),
        summaryOrNull(app, entry.subjectId),
      ]);
      return {
        id: entry.id,
        at: iso(entry.at),
        event: entry.event,
        actor,
        subject,
        actorId: entry.actorId,
        subjectId: entry.subjectId,
        ipAddress: entry.ipAddress,
        details: entry.details,
        type: legacyTypeOf(entry.event),
        user: actor ?? subject,
        description: describe(entry),
        source: entry.ipAddress,
        time: iso(entry.at),
      };
    }),
  );
  return { content, ...pageCounts(page, total) };
}
