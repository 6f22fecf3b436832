import { z } from 'zod';
import { listAudit } from '../../db/audit.js';
import { jobCounts, retryFailed } from '../../db/job.js';
import { totalsByKind } from '../../db/stats.js';
import { countUsers } from '../../db/user.js';
import { AUDIT_EVENTS, audit } from '../audit.js';
import { iso, isoOrNull } from '../dates.js';
import { uidInput } from '../ids.js';
import { windowOf } from '../paging.js';
import type { AccountContext } from '../trpc.js';
import { summaryOrNull, userSummary } from '../user-summary.js';
import { pageAsked, pageCounts, pageInput, pageOutput } from './paging.js';

export const systemMetrics = z.object({
  version: z.string(),
  startedAt: z.iso.datetime(),
  uptimeMs: z.int(),
  /** Memory of this process in bytes. */
  memory: z.int(),
  totals: z.object({
    users: z.int(),
    images: z.int(),
    pastes: z.int(),
    urls: z.int(),
    storageUsed: z.int(),
  }),
  jobs: z.array(
    z.object({ kind: z.string(), waiting: z.int(), failed: z.int(), oldestAt: z.iso.datetime().nullable() }),
  ),
});

/** Metrics of this installation. */
export async function metricsOf(ctx: AccountContext): Promise<z.output<typeof systemMetrics>> {
  const { settings, db } = ctx.app;
  const [users, { image, paste, url }, jobs] = await Promise.all([
    countUsers(db.read),
    totalsByKind(db, null),
    jobCounts(db),
  ]);
  return {
    version: settings.version,
    startedAt: iso(settings.startedAt),
    uptimeMs: Math.round(process.uptime() * 1000),
    memory: process.memoryUsage.rss(),
    totals: {
      users,
      images: image.items,
      pastes: paste.items,
      urls: url.items,
      storageUsed: image.bytes,
    },
    jobs: jobs.map(({ oldest, ...job }) => ({ ...job, oldestAt: isoOrNull(oldest) })),
  };
}

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

export const auditInput = z.object({
  event: z.enum(AUDIT_EVENTS).nullish(),
  uid: uidInput.nullish(),
  ...pageInput,
});
export const auditPage = z.object({
  content: z.array(
    z.object({
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
    }),
  ),
  ...pageOutput,
});

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
    items.map(async (entry) => ({
      id: entry.id,
      at: iso(entry.at),
      event: entry.event,
      actor: await summaryOrNull(app, entry.actorId),
      subject: await summaryOrNull(app, entry.subjectId),
      actorId: entry.actorId,
      subjectId: entry.subjectId,
      ipAddress: entry.ipAddress,
      details: entry.details,
    })),
  );
  return { content, ...pageCounts(page, total) };
}
