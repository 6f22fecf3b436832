import { z } from 'zod';
import { lockOwners, lockUser, type User, updateUser } from '../../../db/account/account.js';
import { insertReport, listReports, reportById, resolveReports } from '../../../db/content/report.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import { contentPageInput, windowOf } from '../../base/paging.js';
import { ABILITIES, hasRank, isModerator, outranks } from '../../base/roles.js';
import { iso } from '../../base/text/dates.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import { challengeToken, needsChallenge, solve, takeSolved } from '../../core/challenge.js';
import type { AccountContext, Context } from '../../core/context.js';
import { networkMark } from '../../core/entry/network-mark.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { pageAsked, pageCounts, pageOutput } from '../admin/public.js';
import { endWaysIn } from '../auth/public.js';
import { ACTIONS, type ReportRecord, reportRecord, toRecord } from './report-record.js';
import { quarantineReportable, REPORT_KINDS, removeReportable, reportable } from './reportable.js';

/** Open reports that are kept of one item, each of another account or network: more say nothing new. */
const MAX_OF_ITEM = 100;

const words = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((text) => text || null);

/** A report of an item by anybody. */
export const reportInput = z.object({
  kind: z
    .string()
    .trim()
    .toLowerCase()
    // Other names of collections.
    .transform((kind) => (kind === 'playlist' || kind === 'pack' ? 'collection' : kind))
    .pipe(z.enum(REPORT_KINDS)),
  uniqueId: uniqueIdInput,
  reason: z.string().trim().min(1, 'say what is wrong').max(200),
  details: words(2_000),
  email: z
    .union([z.literal(''), z.email('enter an e-mail address').max(254)])
    .nullish()
    .transform((text) => text || null),
  /** The solved challenge, if somebody without an account needs one. */
  token: challengeToken,
});

/**
 * Takes a report of an item from anybody. The answer is the same whether there is such an item, and whether the caller
 * may see it.
 */
export async function report(ctx: Context, input: z.output<typeof reportInput>): Promise<void> {
  const { app } = ctx;
  await app.limits.rates.take('report', ctx.network());
  const solved = (await needsChallenge(ctx, 'reports')) ? await solve(ctx, input.token) : null;
  const item = await reportable(app, input.kind, input.uniqueId);
  const caller = await ctx.caller();
  if (item === null && solved === null) return;
  const { kind, reason, details, email } = input;
  await app.db.write(async (trx) => {
    if (solved !== null) await takeSolved(trx, solved, 'report');
    if (item === null) return;
    await insertReport(
      trx,
      {
        ...{ kind, reason, details, email, itemId: item.id, uniqueId: item.uniqueId, ownerId: item.ownerId },
        reporterId: caller?.id ?? null,
        sentFrom: networkMark(ctx),
        createdAt: Date.now(),
      },
      MAX_OF_ITEM,
    );
  });
}

/** A page of reports. */
export const reportPage = z.object({ content: z.array(reportRecord), ...pageOutput });

/** Filters and page of reports. */
export const reportsInput = contentPageInput.extend({
  status: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['open', 'resolved', 'all']))
    .default('all'),
});

/** Reports, newest first. */
export async function reportsPage(
  { app }: AccountContext,
  input: z.output<typeof reportsInput>,
): Promise<z.output<typeof reportPage>> {
  const page = pageAsked(input);
  const open = input.status === 'all' ? null : input.status === 'open';
  const { items, total } = await listReports(app.db, { open, reporterId: null }, windowOf(page));
  return {
    content: await Promise.all(items.map((report) => toRecord(app, report))),
    ...pageCounts(page, total),
  };
}

/** A report as the account sees it that sent it. */
const ownReport = reportRecord.pick({
  id: true,
  kind: true,
  uniqueId: true,
  reason: true,
  details: true,
  email: true,
  createdAt: true,
  status: true,
});

/** A page of the reports that the caller has sent. */
export const ownReports = z.object({ content: z.array(ownReport), ...pageOutput });

/** The reports that the caller has sent, newest first. */
export async function reportsOf(
  { app, account }: AccountContext,
  input: z.output<typeof reportsInput>,
): Promise<z.output<typeof ownReports>> {
  const page = pageAsked(input);
  const filter = { open: null, reporterId: account.id };
  const { items, total } = await listReports(app.db, filter, windowOf(page));
  const content = items.map(({ id, kind, uniqueId, reason, details, email, createdAt, resolvedAt }) => ({
    ...{ id, kind, uniqueId, reason, details, email },
    createdAt: iso(createdAt),
    status: resolvedAt === null ? ('open' as const) : ('resolved' as const),
  }));
  return { content, ...pageCounts(page, total) };
}

/** What a moderator decides about a report. */
export const resolveInput = z.object({
  id: z.int().min(1).max(0x7fffffff),
  action: z.string().trim().toLowerCase().pipe(z.enum(ACTIONS)),
  note: words(500),
});

/**
 * Decides about a report: `none` also lifts a quarantine, `quarantine` keeps the item from everybody but its owner and
 * moderators, `delete` deletes it, `ban` shuts its owner out, too, and quarantines it. A report can be decided again.
 * Other open reports of the same item are decided with it.
 */
export async function resolve(
  ctx: AccountContext,
  { id, action, note }: z.output<typeof resolveInput>,
): Promise<ReportRecord> {
  const { app } = ctx;
  const report = found(await reportById(app.db.read, id));
  // Row ids are never used twice, so this finds the item in the trash of its owner, too, and no other one.
  if (action === 'delete') await removeReportable(app, report.kind, report.itemId);
  await app.db.write(async (trx) => {
    const owners = action === 'ban' ? await lockOwners(app.db, trx) : [];
    const moderator = await lockAccount(app, trx, ctx.account.id);
    if (!isModerator(moderator.role)) fail('FORBIDDEN');
    if (action === 'ban') await ban(ctx, trx, moderator, report.ownerId, owners);
    if (action !== 'delete')
      await quarantineReportable(
        app,
        trx,
        { kind: report.kind, id: report.itemId },
        action === 'none' ? null : (note ?? report.reason),
      );
    await resolveReports(trx, report, { at: Date.now(), by: moderator.id, action, note });
    const info = { action, report: id, kind: report.kind, item: report.uniqueId };
    await audit(ctx, trx, 'report.resolved', { subject: report.ownerId, info });
  });
  return toRecord(app, found(await reportById(app.db.read, id)));
}

/** Shuts an account of a lower role out. */
async function ban(
  ctx: AccountContext,
  trx: Queryable,
  moderator: User,
  ownerId: number,
  owners: readonly number[],
): Promise<void> {
  const owner = found(await lockUser(ctx.app.db, trx, ownerId));
  if (owner.role === 'DELETED') fail('NOT_FOUND');
  const mayBan = hasRank(moderator.role, ABILITIES.own) || outranks(moderator.role, owner.role);
  if (!mayBan || owner.id === moderator.id) fail('RANK_TOO_LOW');
  if (owners.includes(owner.id) && owners.length < 2) fail('LAST_OWNER');
  if (owner.role === 'BANNED') return;
  await updateUser(trx, owner.id, { role: 'BANNED' });
  await endWaysIn(trx, owner.id);
  await audit(ctx, trx, 'account.changed', { subject: owner.id, info: { fields: 'role', role: 'BANNED' } });
}
