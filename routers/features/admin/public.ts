/** What other features may use of this one. */
export { pageAsked, pageCounts, pageOutput } from './paging.js';
