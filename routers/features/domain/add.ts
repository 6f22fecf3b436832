import { randomBytes } from 'node:crypto';
import { lockUser } from '../../../db/account/account.js';
import { type Domain, domainOf, domainsOf, insertDomain } from '../../../db/content/link/domain.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import type { Services } from '../../core/context.js';

/** Hosts of one account. */
const MAX_DOMAINS = 10;

/**
 * Adds a host, as `readHost` gives it, to an account, where it waits for its proof; what is there already stays. 400 for more
 * than an account can have.
 */
export async function addHost(
  { db }: Services,
  trx: Queryable,
  ownerId: number,
  host: string,
): Promise<{ readonly domain: Domain; readonly isNew: boolean }> {
  await lockUser(db, trx, ownerId);
  const token = randomBytes(20).toString('hex');
  const domain = await insertDomain(trx, { ownerId, host, token }, Date.now());
  if (domain === null) return { domain: found(await domainOf(trx, ownerId, host)), isNew: false };
  if ((await domainsOf(trx, ownerId)).length > MAX_DOMAINS)
    fail('INVALID', localizable('An account can have at most {max} domains', { max: MAX_DOMAINS }));
  return { domain, isNew: true };
}
