import type { UrlSet } from '../../routers/core/items/links.js';
import { type NoExtra, type Reply, record, text } from '../reply/reply.js';
import { prefersLink, type Wire } from '../wire.js';

/** How `created` is described beside the record. */
export const ALSO_LINK = { types: ['text/plain'] } as const;

/** The response to a creation: the record, or only its short link for tools that request text (contract §4). */
export const created = <M extends { readonly uniqueId: string; readonly urlSet: UrlSet }>(
  value: M,
  wire: Wire,
): Reply<M, NoExtra, never> =>
  prefersLink(wire) ? text(value.urlSet.shortUrl, { vary: 'Accept' }) : record(value, { vary: 'Accept' });
