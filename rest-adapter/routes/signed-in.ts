import type { FullUser } from '../../routers/core/accounts/record.js';
import { message, type NoExtra, type Reply } from '../reply/reply.js';

/** Legacy clients store the login response in a cookie, which holds 4 KB encoded: JSON under 2 KB (contract §3). */
const MESSAGE_BYTES = 1_900;

/** The response to a login: the account, with its links set to null if they would make it too long. */
export function signedIn(user: FullUser): Reply<FullUser, NoExtra, never> {
  if (Buffer.byteLength(JSON.stringify(user)) <= MESSAGE_BYTES) return message(user);
  const socials = Object.fromEntries(
    Object.keys(user.socials).map((name) => [name, null]),
  ) as FullUser['socials'];
  return message({ ...user, socials });
}
