/** What other features may use of this one. */
export { discardCollection, moveToTrash, purgeCollection } from './discard.js';
export {
  countOpening,
  type Entered,
  enterCollection,
  enterForFiles,
  goesOn,
  isOnlyAsked,
  mayStep,
  openEntered,
  requireThere,
  ticketAfter,
} from './enter.js';
export { MAX_FILES } from './fields.js';
export {
  listedImage,
  listImage,
  ofEach,
  partInput,
  partOf,
  pathOf,
  type SeenEntry,
  seen,
  seenEntries,
} from './record.js';
export { isTicket, TICKET_SECONDS, type Ticketed, ticketFor } from './ticket.js';
export { type ZipListing, zipListing, zipOfCollection } from './zip.js';
