/** What other features may use of this one. */
export { receiptInput, senderInput, ticketInput } from './fields.js';
export { leftOf, openRequest, requireLetIn, requireSolved } from './find.js';
export { refuseLarger, refuseQuota, storeArrival, withoutLimits } from './keep-arrival.js';
export { newReceipt, sealOfArrival, senderOf } from './receive.js';
export { sentFile } from './record.js';
