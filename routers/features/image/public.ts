/** What other features may use of this one. */
export { type Allowance, allowUpload, countUpload, refuseSize } from './allowance.js';
export { represent } from './content.js';
export { announceImageRemovals, type Deleted, deleteImages, finishDeletion } from './delete.js';
export { type ContentDelivery, deliver, delivery } from './deliver.js';
export { toWordBox, wordBox } from './picture-words.js';
export { imageRecord, toImageRecord } from './record.js';
export { renditionInput, renditionOf } from './rendition.js';
export { formFor } from './shared.js';
export { refuseStopped, unlessSlow } from './stopped.js';
export { blobsOf, type PreparedFile, prepareFile } from './upload/prepare.js';
export { openReserved, releaseOf, removeReserved, stageArrived } from './upload/register.js';
export { StagedUpload, stagedUploadInput } from './upload/staged.js';
export { type ItemFields, insertPrepared, keepPrepared } from './upload/store.js';
export {
  fieldsOf,
  itemFields,
  metadataPolicyOf,
  sourceInput,
  storePrepared,
  uploadImage,
} from './upload/upload.js';
export { uploadTogether } from './upload/upload-together.js';
