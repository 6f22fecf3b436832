/** What other features may use of this one. */
export { pasteRecord, toPasteRecord } from './record.js';
