/** What other features may use of this one. */
export { receiptInput, senderInput, ticketInput } from './fields.js';
export { leftOf, openRequest, requireLetIn, requireSolved } from './find.js';
export {
  newReceipt,
  refuseLarger,
  refuseQuota,
  sealOfArrival,
  senderOf,
  storeArrival,
  withoutLimits,
} from './receive.js';
export { sentFile } from './record.js';
