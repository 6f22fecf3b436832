/** What other features may use of this one. */
export { changeCollection, removeCollection } from './change.js';
export { changeColumns } from './columns.js';
export { createCollection, insertFilled } from './create.js';
export { discardCollection, moveToTrash, purgeCollection } from './discard.js';
export {
  countOpening,
  type Entered,
  enterCollection,
  enterForFiles,
  isOnlyAsked,
  openEntered,
  requireThere,
} from './enter.js';
export { append, putItems, takeFromCollection } from './entries.js';
export { columnsOf, description, MAX_FILES, title } from './fields.js';
export {
  answerOf,
  listedImage,
  listImage,
  ofEach,
  pathOf,
  type SeenEntry,
  seen,
} from './files.js';
export { type Form, inForm } from './forms.js';
export { joined, seesOf } from './joined.js';
export { type ZipListing, zipListing, zipOfCollection } from './zip.js';
