import { z } from 'zod';
import { type KindTotals, kindTotals } from '../../../db/statistics/stats.js';
import { unlessRemoved } from '../../base/errors.js';
import { allByKind, byKind } from '../../base/kinds.js';
import { rule } from '../../base/language/rules.js';
import { isAdmin } from '../../base/roles.js';
import { type Span, spanInput, spanOf } from '../../base/text/span.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import type { AccountContext, Services } from '../../core/context.js';
import { PRESETS, presetSpan } from './presets.js';

/** The days of the statistics of all accounts. */
export const siteInput = spanInput.extend({
  preset: z
    .string()
    .nullish()
    .transform((value) => (value ?? '').trim().toUpperCase())
    .pipe(z.enum(['', ...PRESETS], { error: rule('use one of {known}', { known: PRESETS.join(', ') }) })),
});

/** The items of one kind and who created most of them. */
export const kindStats = z.object({
  total: z.int(),
  bestUploader: z.object({ count: z.int(), user: userSummary }).nullable(),
});

/**
 * Site-wide statistics (contract §3, Stats). `total` counts every item, `bestUploader` only open ones.
 * `storageUsed` is the size of images; of open ones only, unless the caller is an administrator.
 */
export const siteStats = z.object({
  ...byKind(() => kindStats),
  storageUsed: z.int(),
});

/** The statistics of all accounts in a span: a preset, dates, or everything. */
export async function getSiteStats(
  { app, account }: AccountContext,
  input: z.output<typeof siteInput>,
): Promise<z.output<typeof siteStats>> {
  const span: Span = input.preset === '' ? spanOf(input) : presetSpan(input.preset, Date.now());
  const totals = await app.limits.statistics(() =>
    app.db.behind((db) => allByKind((kind) => kindTotals(db, kind, span))),
  );
  const { image } = totals;
  return {
    ...(await allByKind((kind) => toKindStats(app, totals[kind]))),
    storageUsed: isAdmin(account.role) ? image.bytes : image.open.bytes,
  };
}

const toKindStats = async (
  app: Services,
  { items, best }: KindTotals,
): Promise<z.output<typeof kindStats>> => {
  const user = best === null ? null : await unlessRemoved(summaryOf(app, best.ownerId));
  return { total: items, bestUploader: best === null || user === null ? null : { count: best.items, user } };
};
