import { ofLimit } from '../format.js';
import type { ShortUrlRecord } from '../records.js';

/** The visits of a link, and how many it allows. */
export function uses(link: ShortUrlRecord): string {
  return ofLimit(link.visits, link.maxUses > 0 ? link.maxUses : null);
}
