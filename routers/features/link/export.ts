import { z } from 'zod';
import { type Link, ownLinksAfter } from '../../../db/content/link/link.js';
import { BEGINNING, type Reached } from '../../../db/content/walk.js';
import { lastVisitOf, visitsAfter } from '../../../db/statistics/visit.js';
import { fail } from '../../base/errors.js';
import { formatInput, Lines } from '../../base/lines.js';
import { slugOf } from '../../base/link-domain.js';
import { csvLine, harmless } from '../../base/text/csv.js';
import type { AccountContext, Services } from '../../core/context.js';
import { may } from '../../core/policies.js';
import { findLink, linkId } from './find.js';
import { type exportedRecord, toShortUrlRecord, toVisitRecord, visitRecord } from './record.js';
import { isEnded } from './visits/visit.js';

/** The format of an export: of links, and of the visits of one. */
export const exportInput = z.object({ format: formatInput });
export const visitExportInput = z.object({ ...linkId, format: formatInput });

/** Rows read at once: enough to keep a client busy, few enough to be nothing in memory. */
const BATCH = 100;

/** The columns of an export, which an import reads as well; passwords are stored as hashes and so are left out. */
const COLUMNS = ['uniqueId', 'url', 'maxUses', 'expiresAt', 'password', 'tags', 'note'] as const;
const MORE = ['visits', 'createdAt', 'isPublic', 'requiresPassword', 'forwardQuery', 'shortUrl'] as const;
/** Those about its way; lists are JSON in CSV, and empty ones are left out. */
const WAY = ['rules', 'split', 'fallbackUrl', 'startsAt', 'forwardPath', 'domain'] as const;

type Exported = z.output<typeof exportedRecord>;

/** All links of the caller with their counts, the oldest first. */
export function exportLinks(
  { app, account }: AccountContext,
  { format }: z.output<typeof exportInput>,
): Lines {
  async function* each(): AsyncGenerator<string> {
    if (format === 'csv') yield csvLine([...COLUMNS, ...MORE, ...WAY]);
    for await (const entry of linksOf(app, account.id))
      yield format === 'json' ? JSON.stringify(entry) : csvLine(cellsOf(entry));
  }
  return new Lines(format, `holdall-links.${format}`, each);
}

async function* linksOf(app: Services, ownerId: number): AsyncGenerator<Exported> {
  let after: Reached = BEGINNING;
  for (;;) {
    const some = await ownLinksAfter(app.db.read, ownerId, after, BATCH);
    yield* await Promise.all(some.map((link) => toExported(app, link)));
    const last = some.at(-1);
    if (last === undefined || some.length < BATCH) return;
    after = { by: last.createdAt, id: last.id };
  }
}

async function toExported(app: Services, link: Link): Promise<Exported> {
  const record = await toShortUrlRecord(app, link, { access: true, own: true });
  return {
    uniqueId: record.uniqueId,
    domain: record.domain,
    url: link.originalUrl,
    maxUses: link.maxUses,
    expiresAt: record.expiresAt,
    tags: record.tags,
    note: record.note,
    visits: record.visits,
    createdAt: record.createdAt,
    isPublic: record.isPublic,
    requiresPassword: record.requiresPassword,
    forwardQuery: record.forwardQuery,
    shortUrl: record.urlSet.shortUrl,
    rules: record.rules,
    split: record.split,
    fallbackUrl: record.fallbackUrl,
    startsAt: record.startsAt,
    forwardPath: record.forwardPath,
  };
}

const cellsOf = (entry: Exported) => [
  ...COLUMNS.map((column) =>
    column === 'password' ? '' : column === 'tags' ? entry.tags.join(',') : entry[column],
  ),
  ...MORE.map((column) => entry[column]),
  ...WAY.map((column) => {
    const value = entry[column];
    return Array.isArray(value) ? (value.length === 0 ? '' : JSON.stringify(value)) : value;
  }),
];

/** Every visit of a link that is still in its log, the oldest first. */
export async function exportVisits(
  ctx: AccountContext,
  { format, ...named }: z.output<typeof visitExportInput>,
): Promise<Lines> {
  const { app } = ctx;
  const link = await findLink(ctx, named);
  if (!(await may(ctx, 'seeVisitors', 'url', link))) fail(isEnded(link) ? 'NOT_FOUND' : 'NOT_OWNER');
  const own = await may(ctx, 'seeOwn', 'url', link);
  const last = await app.db.behind(({ read }) => lastVisitOf(read, link.id));
  async function* each(): AsyncGenerator<string> {
    if (format === 'csv') yield csvLine(['time', 'ipAddress', 'userAgent', 'referrer', 'country']);
    let after = 0;
    for (;;) {
      const some = await app.db.behind(({ read }) => visitsAfter(read, link.id, after, last, BATCH));
      for (const { visit, visits } of some) {
        const record = toVisitExport(visit, own);
        const { time, ipAddress, userAgent, referrer, country } = record;
        const line =
          format === 'json'
            ? JSON.stringify(record)
            : csvLine([time, harmless(ipAddress), harmless(userAgent), harmless(referrer), country]);
        for (let n = 0; n < visits; n += 1) yield line;
      }
      const end = some.at(-1);
      if (end === undefined || some.length < BATCH) return;
      after = end.id;
    }
  }
  return new Lines(format, `holdall-visits-${slugOf(link.uniqueId).replaceAll('/', '-')}.${format}`, each);
}

/** A visit in an export: as in the log, and where it came from. */
export const exportedVisit = visitRecord.extend({ referrer: z.string().nullable() });

const toVisitExport = (
  visit: Parameters<typeof toVisitRecord>[0],
  own: boolean,
): z.output<typeof exportedVisit> => ({ ...toVisitRecord(visit, own), referrer: visit.referrerHost });
