import { count } from '../format.js';
import type { ShortUrlRecord } from '../records.js';

/** The visits of a link, and how many it allows. */
export function uses(link: ShortUrlRecord): string {
  return link.maxUses > 0 ? `${count(link.visits)} of ${count(link.maxUses)}` : count(link.visits);
}
