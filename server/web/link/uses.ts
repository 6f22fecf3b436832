import { ofLimit } from '../format.js';
import type { ShortUrlRecord } from '../records.js';

/** The visits of a link, and how many it allows. */
export function uses(link: ShortUrlRecord): string {
  return ofLimit(link.visits, link.maxUses > 0 ? link.maxUses : null);
}

/** The id of a link as people know it: with its host, if it is on one of an account. */
export const shownId = ({ uniqueId, domain }: Pick<ShortUrlRecord, 'uniqueId' | 'domain'>): string =>
  domain === null ? uniqueId : `${domain}/${uniqueId}`;
