import type { FullUser } from '../../routers/user/record.js';
import { message, type Reply } from '../reply.js';

/** Legacy clients keep the answer to a login in a cookie, which holds 4 KB encoded: JSON under 2 KB (contract §3). */
const MESSAGE_BYTES = 1_900;

/** The answer to a login: the account, without its links where they would make it too long. */
export function signedIn(user: FullUser): Reply {
  const fits = Buffer.byteLength(JSON.stringify(user)) <= MESSAGE_BYTES;
  return message(fits ? user : { ...user, socials: {} });
}
