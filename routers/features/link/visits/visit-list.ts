import { z } from 'zod';
import { lookupId } from '../../../../db/content/content.js';
import { tagKey } from '../../../../db/content/tag/new-tags.js';
import { deleteVisits } from '../../../../db/statistics/visit.js';
import { forgetCount, programsOf, visitList } from '../../../../db/statistics/visit-lists.js';
import { fail } from '../../../base/errors.js';
import { pageFields, pageOf, toPage } from '../../../base/paging.js';
import { inParts } from '../../../base/parts.js';
import { spanFields } from '../../../base/text/dates.js';
import type { AccountContext } from '../../../core/context.js';
import { requireAllowed } from '../../../core/policies.js';
import { readUserAgent } from '../../stats/public.js';
import { domainAsked, findLink, type NamedLink } from '../find.js';
import { toVisitRecord, visitRecord } from '../record.js';
import { visitsAsked } from './visits.js';

const MAX_LISTED = 1_000;

/** Programs that are told apart, at most; of more, those of the fewest visits count as people. */
const MAX_PROGRAMS = 5_000;

/** Whose visits are listed: of one link, which `host` may name, or of all with a tag, on a host, or of all; in a span. */
export const visitListInput = z.object({
  uniqueId: z.string().min(1).max(1000).nullish(),
  host: z.string().max(300).nullish(),
  tag: z.string().trim().min(1).max(200).nullish(),
  /** Those of people only. */
  people: z.boolean().nullish(),
  ...spanFields,
  ...pageFields(100, MAX_LISTED),
});

/** Visits of several links. */
export const visitListPage = pageOf(
  visitRecord.extend({ uniqueId: z.string(), referrer: z.string().nullable(), bot: z.boolean() }),
);

/** The visits in the logs of the caller's links, newest first; 404 for a link of somebody else. */
export async function listVisits(
  ctx: AccountContext,
  input: z.output<typeof visitListInput>,
): Promise<z.output<typeof visitListPage>> {
  const { app, account } = ctx;
  const { uniqueId, host, tag, from = null, to = null } = input;
  const link = uniqueId == null ? null : await findLink(ctx, { uniqueId: lookupId(uniqueId), host });
  if (link !== null && link.ownerId !== account.id) fail('NOT_FOUND');
  const domain = link === null ? await domainAsked(ctx, host) : undefined;
  const of = { ownerId: account.id, urlId: link?.id ?? null, tagKey: tag == null ? null : tagKey(tag) };
  const wanted = { ...of, domain, from, to };
  const asked = visitsAsked(input);
  const list = await app.db.behind(async (db) => {
    if (input.people !== true) return visitList(db, wanted, asked);
    const programs = await programsOf(db, wanted, MAX_PROGRAMS);
    const without = await inParts(programs, (some) => some.filter((one) => readUserAgent(one).bot));
    return visitList(db, { ...wanted, without }, asked);
  });
  return toPage(input, list, async (visit) => ({
    ...toVisitRecord(visit, true),
    ...{ uniqueId: visit.uniqueId, referrer: visit.referrerHost, bot: readUserAgent(visit.userAgent).bot },
  }));
}

/** Deletes the log and the counts of a link of the caller, so that it is as if nobody had followed it; returns how often somebody had. */
export async function forgetVisits(ctx: AccountContext, named: NamedLink): Promise<number> {
  const { app, account } = ctx;
  const link = await findLink(ctx, named);
  requireAllowed(account, 'change', 'url', link);
  while (!(await app.db.write((trx) => deleteVisits(trx, link.id))));
  await app.db.write((trx) => forgetCount(trx, link.id));
  return link.visits;
}
