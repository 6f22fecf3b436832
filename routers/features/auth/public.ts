/** What other features may use of this one. */

export { createAccount, requireFreeAddress, writeUnique } from './accounts.js';
export { statusOfConfirmed, tellOfWaiting } from './approval.js';
export { CODE_MINUTES, mailCounts, queueVerification } from './codes.js';
export { type EndedAccess, endAccess, endedAccess, endSignIns, endWaysIn } from './ending.js';
export { describeKey, mainKeyState, replaceKey, switchKeyOff } from './key.js';
export { enter } from './login.js';
export {
  changeKey,
  createKey,
  deleteKey,
  deleteThisKey,
  keyChangeInput,
  listKeys,
  namedKeyRecord,
  newKeyInput,
  newKeyRecord,
} from './named-keys.js';
export { confirmPassword, requireSamePassword } from './password.js';
export { requireProof, requireStillProven } from './proof.js';
export { useInvite } from './register.js';
export { pendingUser, setPendingCookie } from './second-step.js';
export { setSessionCookie } from './session.js';
export { activate, announceVerified, waitingAccount } from './verify.js';
export { requireOffered } from './ways.js';
