import { z } from 'zod';
import { domainOf } from '../../../db/content/link/domain.js';
import { tagKey } from '../../../db/content/tag/new-tags.js';
import { visitSums } from '../../../db/statistics/visit-sums.js';
import { formatInput, Lines } from '../../base/lines.js';
import { csvLine } from '../../base/text/csv.js';
import { spanFields } from '../../base/text/dates.js';
import { spanOf } from '../../base/text/span.js';
import type { AccountContext } from '../../core/context.js';
import { hostIn } from '../../core/items/short-hosts.js';

/** Names of each kind in an answer, at most. */
const MAX_NAMES = 100;

/** Which links are summed, over which days. */
export const linksInput = z.object({
  ...spanFields,
  tag: z.string().trim().min(1).max(64).nullish(),
  /** The host of short addresses. */
  domain: z.string().trim().toLowerCase().min(1).max(260).nullish(),
});

const shares = z.array(z.object({ name: z.string(), visits: z.int() }));

/** The visits of many links together. */
export const linksStats = z.object({
  visits: z.int(),
  people: z.int(),
  bots: z.int(),
  variants: shares,
  tags: shares,
  domains: shares,
});

/** Which links are exported, and how. */
export const linksExportInput = linksInput.extend({ format: formatInput });

/** An entry of an export: all visits, those of people and of bots, or those of a variant, a tag or a host. */
export const exportedSum = z.object({
  of: z.enum(['visits', 'people', 'bots', 'variant', 'tag', 'domain']),
  name: z.string().nullable(),
  visits: z.int(),
});

/** The same as entries of a list. */
export async function exportLinksStats(
  ctx: AccountContext,
  { format, ...asked }: z.output<typeof linksExportInput>,
): Promise<Lines> {
  const { visits, people, bots, variants, tags, domains } = await getLinksStats(ctx, asked);
  type Sum = z.output<typeof exportedSum>;
  const named = (of: Sum['of'], shares: readonly { name: string; visits: number }[]): Sum[] =>
    shares.map((share) => ({ of, ...share }));
  const sums: Sum[] = [
    { of: 'visits', name: null, visits },
    { of: 'people', name: null, visits: people },
    { of: 'bots', name: null, visits: bots },
    ...[...named('variant', variants), ...named('tag', tags), ...named('domain', domains)],
  ];
  async function* each(): AsyncGenerator<string> {
    if (format === 'csv') yield csvLine(['of', 'name', 'visits']);
    for (const sum of sums) yield format === 'json' ? JSON.stringify(sum) : csvLine(Object.values(sum));
  }
  return new Lines(format, `holdall-visits.${format}`, each);
}

/** The visits of the caller's links, in whole days; equal requests of one account share the work. */
export function getLinksStats(
  { app, account }: AccountContext,
  { from, to, tag, domain }: z.output<typeof linksInput>,
): Promise<z.output<typeof linksStats>> {
  const span = spanOf({ fromDate: from, toDate: to });
  const key = tag == null ? null : tagKey(tag);
  const host = hostIn(app.settings.shortUrls.url ?? app.settings.origin);
  return app.singleFlight(`links ${JSON.stringify([account.id, from, to, key, domain])}`, async () => {
    const own = { ownerId: account.id, tagKey: key };
    const on = domain == null || domain === host ? null : await domainOf(app.db.read, account.id, domain);
    if (domain != null && domain !== host && on === null)
      return { visits: 0, people: 0, bots: 0, variants: [], tags: [], domains: [] };
    const { people, bots, variants, tags, hosts } = await app.db.behind((db) =>
      visitSums(db, { ...own, ...(domain == null ? {} : { domain: on?.id ?? null }) }, span, MAX_NAMES),
    );
    const domains = hosts.map(({ name, visits }) => ({ name: name || host, visits }));
    return { visits: people + bots, people, bots, variants: [...variants], tags: [...tags], domains };
  });
}
