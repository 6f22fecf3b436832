import { z } from 'zod';
import type { Link } from '../../../db/content/link/link.js';
import type { Visit } from '../../../db/statistics/visit.js';
import { domainIdOf, slugOf } from '../../base/link-domain.js';
import { HEALTHS, type Health } from '../../base/ports/target-looks.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { accountOf } from '../../core/accounts/people.js';
import { summarise, userSummary } from '../../core/accounts/user-summary.js';
import type { Services } from '../../core/context.js';
import { hostOfLink } from '../../core/items/domains.js';
import { urlSet, urlSetOf } from '../../core/items/links.js';
import { revisionFields, revisionOf } from '../../core/items/revision.js';
import { shownPreview } from './fields.js';

/** A visit as the link's owner sees it (contract §3). */
export const visitRecord = z.object({
  userAgent: z.string().nullable(),
  ipAddress: z.string().nullable(),
  time: z.iso.datetime(),
  /** A code of two letters, for the owner of the link only; null if it is not known. */
  country: z.string().nullable(),
  /** Which rule or part of the link led it on, for its owner: `rule-1`, `split-2`; null for neither. */
  variant: z.string().nullable(),
});

/** What a visit has to be for a rule, and where it leads. */
const linkRule = z.object({
  when: z.object({
    device: z.array(z.string()).optional(),
    country: z.array(z.string()).optional(),
    language: z.array(z.string()).optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    query: z.record(z.string(), z.string()).optional(),
    bot: z.boolean().optional(),
  }),
  url: z.string(),
});

/** How a link leads on, beyond its one target; empty for everybody but its owner. */
const wayRecord = {
  rules: z.array(linkRule),
  split: z.array(z.object({ url: z.string(), weight: z.int() })),
  fallbackUrl: z.string().nullable(),
  startsAt: z.iso.datetime().nullable(),
  /** Whether what follows its id in a path is passed on to the target. */
  forwardPath: z.boolean(),
};

const NO_WAY = { rules: [], split: [], fallbackUrl: null };

/** The values of `wayRecord`. */
const wayOf = ({ way }: Link, own: boolean) => ({
  startsAt: isoOrNull(way.startsAt),
  forwardPath: way.forwardPath,
  ...(own
    ? {
        rules: [...way.rules] as z.output<typeof linkRule>[],
        split: [...way.split],
        fallbackUrl: way.fallbackUrl,
      }
    : NO_WAY),
});

/** A link in an export, which an import reads as well. */
export const exportedRecord = z.object({
  uniqueId: z.string(),
  /** The host of its domain; null for one of the installation. */
  domain: z.string().nullable(),
  url: z.string(),
  maxUses: z.int().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  tags: z.array(z.string()),
  note: z.string().nullable(),
  visits: z.int(),
  createdAt: z.iso.datetime(),
  isPublic: z.boolean(),
  requiresPassword: z.boolean(),
  forwardQuery: z.boolean(),
  shortUrl: z.url(),
  ...wayRecord,
});

/** The preview of a link; `image` is the id of an image. */
const linkPreview = z.object({
  title: z.string().nullable(),
  description: z.string().nullable(),
  image: z.string().nullable(),
});

/** A short URL in the API (contract §3); `maxUses` -1 means unlimited. */
export const shortUrlRecord = z.object({
  uniqueId: z.string(),
  /** The host of its domain; null for one of the installation. */
  domain: z.string().nullable(),
  /** The id that is its own on all hosts, and stands for `uniqueId` and `domain` wherever an id is asked for. */
  fullId: z.string(),
  originalUrl: z.string().nullable(),
  visits: z.int(),
  maxUses: z.int(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  requiresPassword: z.boolean(),
  isPublic: z.boolean(),
  /** Whether the query of a visit is passed on to the target. */
  forwardQuery: z.boolean(),
  /** Only in its owner's record. */
  note: z.string().nullable(),
  /** What previews of the link show instead of its target. */
  preview: linkPreview.nullable(),
  /** Whether its targets answered at the last look, unknown before the first; null for others than its owner. */
  health: z.enum(HEALTHS).nullable(),
  checkedAt: z.iso.datetime().nullable(),
  ...wayRecord,
  ...revisionFields,
  urlSet,
  uploader: userSummary,
  /** Why only its owner and moderators can see it; null for other items. */
  quarantine: z.string().nullable(),
  /** At creation: it was there before, with the same target and fields. */
  existing: z.boolean().optional(),
  logs: z.array(visitRecord).optional(),
  urlLogs: z.array(visitRecord).optional(),
});
export type LinkRecord = z.output<typeof shortUrlRecord>;

/** A visit in the API; `own` for the owner of its link. */
export const toVisitRecord = (visit: Visit, own: boolean): z.output<typeof visitRecord> => ({
  userAgent: visit.userAgent,
  ipAddress: visit.ipAddress,
  time: iso(visit.visitedAt),
  country: own ? visit.country : null,
  variant: own ? visit.variant : null,
});

/** As `revisionOf`; former ids on the same host as `uniqueId` names it. */
async function formerOf(app: Services, url: Link, own: boolean) {
  const { aliases, ...revision } = await revisionOf(app, 'url', url, own);
  const on = domainIdOf(url.uniqueId);
  return {
    ...revision,
    ...(aliases === undefined
      ? {}
      : { aliases: aliases.map((id) => (domainIdOf(id) === on ? slugOf(id) : id)) }),
  };
}

/** Builds the record. Without access the target is hidden; `creator` adds the deletion link, `own` what only its owner sees. */
export async function toShortUrlRecord(
  app: Services,
  url: Link,
  options: {
    readonly access: boolean;
    readonly creator?: boolean;
    readonly own?: boolean;
    readonly existing?: boolean;
    readonly logs?: readonly Visit[] | null;
  },
): Promise<LinkRecord> {
  const owner = await accountOf(app, url.ownerId);
  const own = options.own === true || options.creator === true;
  const logs = options.logs?.map((visit) => toVisitRecord(visit, own));
  return {
    uniqueId: slugOf(url.uniqueId),
    domain: await hostOfLink(app, url.uniqueId),
    fullId: url.uniqueId,
    originalUrl: options.access ? url.originalUrl : null,
    visits: url.visits,
    maxUses: url.maxUses ?? -1,
    createdAt: iso(url.createdAt),
    expiresAt: isoOrNull(url.expiresAt),
    requiresPassword: url.passwordHash !== null,
    isPublic: url.isPublic,
    forwardQuery: url.forwardQuery,
    note: own ? url.note : null,
    preview: options.access ? (own ? url.preview : await shownPreview(app, url.preview)) : null,
    health: own ? ((url.health ?? 'unknown') as Health) : null,
    checkedAt: own ? isoOrNull(url.checkedAt) : null,
    urlSet: await urlSetOf(app, 'url', url, owner, { creator: options.creator === true }),
    uploader: await summarise(app, owner),
    quarantine: url.quarantine,
    ...wayOf(url, own),
    ...(await formerOf(app, url, own)),
    ...(options.existing === true ? { existing: true } : {}),
    ...(logs === undefined ? {} : { logs, urlLogs: logs }),
  };
}
