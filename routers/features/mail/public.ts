/** What other features may use of this one. */
export { deleteMailboxOf, forgetOldSendings, forgetSendingsOf } from './remove.js';
