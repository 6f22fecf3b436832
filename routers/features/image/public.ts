/** What other features may use of this one. */
export { type Allowance, allowUpload, countUpload, refuseSize } from './allowance.js';
export { posterOf, represent } from './content.js';
export { announceImageRemovals, type Deleted, deleteImages, finishDeletion } from './delete.js';
export { type ContentDelivery, deliver, delivery } from './deliver.js';
export { blobsOf, type PreparedFile, prepareFile } from './prepare.js';
export { imageRecord, toImageRecord } from './record.js';
export { openReserved, releaseOf, removeReserved, stageArrived } from './register.js';
export { renditionInput, renditionOf } from './rendition.js';
export { StagedUpload, stagedUploadInput } from './staged.js';
export { refuseStopped, unlessSlow } from './stopped.js';
export { type ItemFields, insertPrepared, keepPrepared } from './store.js';
export { fieldsOf, itemFields, metadataPolicyOf, sourceInput, storePrepared, uploadImage } from './upload.js';
export { uploadTogether } from './upload-together.js';
