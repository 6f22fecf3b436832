import { z } from 'zod';
import { DOMAIN_STATES, type Domain } from '../../../db/content/link/domain.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { accountOf } from '../../core/accounts/people.js';
import type { Services } from '../../core/context.js';

const states = DOMAIN_STATES.filter((state) => state !== 'removed');

/** The state of a domain that is there, in a filter. */
export const domainState = z
  .enum(states as [string, ...string[]])
  .transform((state) => state as Domain['state']);

/** A domain of the caller. */
export const domainRecord = z.object({
  host: z.string(),
  /** What its DNS or the host itself has to show. */
  token: z.string(),
  state: z.enum(states as [string, ...string[]]),
  /** How it was last proven; null if it never was. */
  proof: z.enum(['dns', 'http']).nullable(),
  provenAt: z.iso.datetime().nullable(),
  checkedAt: z.iso.datetime().nullable(),
  /** Where its unknown ids lead. */
  fallbackUrl: z.string().nullable(),
  createdAt: z.iso.datetime(),
});

/** A domain as administrators see it; its token is its account's secret. */
export const adminDomainRecord = domainRecord.omit({ token: true }).extend({
  uid: z.int(),
  username: z.string(),
  /** What an administrator has decided; null for nothing. */
  approved: z.boolean().nullable(),
});

/** The values of `domainRecord`. */
export const toDomainRecord = (domain: Domain): z.output<typeof domainRecord> => ({
  host: domain.host,
  token: domain.token,
  state: domain.state,
  proof: domain.proof,
  provenAt: isoOrNull(domain.provenAt),
  checkedAt: isoOrNull(domain.checkedAt),
  fallbackUrl: domain.fallbackUrl,
  createdAt: iso(domain.createdAt),
});

/** The values of `adminDomainRecord`. */
export async function toAdminRecord(
  app: Services,
  domain: Domain,
): Promise<z.output<typeof adminDomainRecord>> {
  const { token: _, ...record } = toDomainRecord(domain);
  const { id, username } = await accountOf(app, domain.ownerId);
  return { ...record, uid: id, username, approved: domain.approved };
}

/** What `domainRecord` describes. */
export type DomainRecord = z.output<typeof domainRecord>;

/** What `adminDomainRecord` describes. */
export type AdminDomainRecord = z.output<typeof adminDomainRecord>;
