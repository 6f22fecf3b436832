import { z } from 'zod';
import { countriesOf } from '../../db/statistics/visit-countries.js';
import { readLinkStats } from '../../db/statistics/visit-days.js';
import { isOwn, isOwnerOrAdmin } from '../access.js';
import { fail, found } from '../errors.js';
import { isOver } from '../link/visit.js';
import { uniqueIdInput } from '../shared/ids.js';
import { spanInput, spanOf } from '../text/span.js';
import type { AccountContext } from '../trpc.js';
import { dayText } from './days.js';

/** Maximum number of names of each kind; the rest is too rare to matter. */
const MAX_NAMES = 50;
/** Fewer visits from one country could be those of one person. */
const FEW = 5;

export const linkInput = spanInput.extend({ uniqueId: uniqueIdInput });

const shares = z.array(z.object({ name: z.string(), visits: z.int() }));

/**
 * The visits of a link by UTC day, all of them and those by bots, and the traits of human visits. "" means no
 * referrer, or unknown.
 */
export const linkStats = z.object({
  uniqueId: z.string(),
  visits: z.int(),
  people: z.int(),
  bots: z.int(),
  perDay: z.array(z.object({ first: z.iso.date(), second: z.int(), people: z.int(), bots: z.int() })),
  referrers: shares,
  browsers: shares,
  systems: shares,
  botNames: shares,
  /** Codes of two letters; for others than the owner only those with at least five visits. */
  countries: shares,
});

/** Visit statistics of a link for its owner and administrators, in whole days. */
export async function getLinkStats(
  ctx: AccountContext,
  input: z.output<typeof linkInput>,
): Promise<z.output<typeof linkStats>> {
  const url = found(await ctx.app.load.url(input.uniqueId));
  if (!(await isOwnerOrAdmin(ctx, url))) fail(isOver(url) ? 'NOT_FOUND' : 'NOT_OWNER');
  const stats = await readLinkStats(ctx.app.db, url.id, spanOf(input), MAX_NAMES);
  const own = await isOwn(ctx, url);
  const countries = await countriesOf(ctx.app.db, url.id, spanOf(input), MAX_NAMES);
  const perDay = stats.perDay.map(({ day, visits, bots }) => ({
    first: dayText(day),
    second: visits,
    people: visits - bots,
    bots,
  }));
  const sum = (of: 'second' | 'people' | 'bots') => perDay.reduce((total, entry) => total + entry[of], 0);
  return {
    uniqueId: url.uniqueId,
    visits: sum('second'),
    people: sum('people'),
    bots: sum('bots'),
    perDay,
    referrers: [...stats.referrers],
    browsers: [...stats.browsers],
    systems: [...stats.systems],
    botNames: [...stats.bots],
    countries: own ? countries : countries.filter(({ visits }) => visits >= FEW),
  };
}
