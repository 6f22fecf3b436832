import type { UrlSet } from '../../routers/links.js';
import { type Reply, record, text } from '../reply.js';
import { prefersLink, type Wire } from '../wire.js';

/** The response to a creation: the record, or only its short link for tools that request text (contract §4). */
export const created = (value: { readonly uniqueId: string; readonly urlSet: UrlSet }, wire: Wire): Reply =>
  prefersLink(wire) ? text(value.urlSet.shortUrl, { vary: 'Accept' }) : record(value, { vary: 'Accept' });
