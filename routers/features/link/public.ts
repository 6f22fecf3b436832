/** What other features may use of this one. */

export { shortUrlRecord, toShortUrlRecord } from './record.js';
export { readTarget } from './target.js';
export { VISIT_BYTES } from './visits/visits.js';
