/** What other features may use of this one. */
export { forgetChatLink } from './link.js';
