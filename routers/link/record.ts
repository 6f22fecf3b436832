import { z } from 'zod';
import type { Link } from '../../db/content/link.js';
import type { Visit } from '../../db/statistics/visit.js';
import type { Services } from '../context.js';
import { urlSet, urlSetOf } from '../shared/links.js';
import { accountOf } from '../shared/people.js';
import { summarise, userSummary } from '../shared/user-summary.js';
import { iso, isoOrNull } from '../text/dates.js';

/** A visit as the link's owner sees it (contract §3). */
export const visitRecord = z.object({
  userAgent: z.string().nullable(),
  ipAddress: z.string().nullable(),
  time: z.iso.datetime(),
});

/** A short URL in the API (contract §3); `maxUses` -1 means unlimited. */
export const shortUrlRecord = z.object({
  uniqueId: z.string(),
  originalUrl: z.string().nullable(),
  visits: z.int(),
  maxUses: z.int(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  requiresPassword: z.boolean(),
  isPublic: z.boolean(),
  urlSet,
  uploader: userSummary,
  logs: z.array(visitRecord).optional(),
  urlLogs: z.array(visitRecord).optional(),
});
export type LinkRecord = z.output<typeof shortUrlRecord>;

export const toVisitRecord = (visit: Visit): z.output<typeof visitRecord> => ({
  userAgent: visit.userAgent,
  ipAddress: visit.ipAddress,
  time: iso(visit.visitedAt),
});

/** Builds the record. Without access the target is hidden; `creator` adds the deletion link. */
export async function toShortUrlRecord(
  app: Services,
  url: Link,
  options: { readonly access: boolean; readonly creator?: boolean; readonly logs?: readonly Visit[] | null },
): Promise<LinkRecord> {
  const owner = await accountOf(app, url.ownerId);
  const logs = options.logs?.map(toVisitRecord);
  return {
    uniqueId: url.uniqueId,
    originalUrl: options.access ? url.originalUrl : null,
    visits: url.visits,
    maxUses: url.maxUses ?? -1,
    createdAt: iso(url.createdAt),
    expiresAt: isoOrNull(url.expiresAt),
    requiresPassword: url.passwordHash !== null,
    isPublic: url.isPublic,
    urlSet: await urlSetOf(app, 'url', url, owner, { creator: options.creator === true }),
    uploader: await summarise(app, owner),
    ...(logs === undefined ? {} : { logs, urlLogs: logs }),
  };
}
