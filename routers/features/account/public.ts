/** What other features may use of this one. */
export { mayGive, requireGivable, roleInput } from './create.js';
export { deleteAccount } from './removal.js';
export { webhookTarget } from './webhook.js';
