/** What other features may use of this one. */
export { createHeaderReader } from './agents.js';
export { tallyVisits } from './tally.js';
export { readsForPreview, readUserAgent } from './user-agent.js';
