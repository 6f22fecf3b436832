import {
  liveMessengerCode,
  type MessengerCode,
  type MessengerPurpose,
  putMessengerCode,
} from '../../db/messenger.js';
import { CODE_MINUTES } from '../auth/codes.js';
import { hashSecret, newSecret } from '../auth/secrets.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';
import { lockAccount } from '../people.js';
import { askOnBehalf } from '../provider.js';

/** What a person needs to prove a messenger account: the bot, and the token to send it after `/start`. */
export interface BotInvitation {
  readonly botname: string;
  readonly token: string;
}

/** Makes a new token for an account; the one before stops working. 404 without a bot, 502 when it is away. */
export async function inviteToBot(
  app: Services,
  userId: number,
  purpose: MessengerPurpose,
): Promise<BotInvitation> {
  const messenger = app.messenger ?? fail('MESSENGER_ABSENT');
  await app.limits.take('code', `messenger|${userId}`);
  const botname = await askOnBehalf(app, () => messenger.botName());
  const token = newSecret();
  const expiresAt = Date.now() + CODE_MINUTES * 60_000;
  await app.db.write(async (trx) => {
    await lockAccount(app, trx, userId);
    await putMessengerCode(trx, { userId, purpose, codeHash: hashSecret(token), expiresAt });
  });
  return { botname, token };
}

/** Who waits for a verification with this token, and until when (epoch milliseconds); null when that is over. */
export const openVerification = (app: Services, token: string): Promise<MessengerCode | null> =>
  liveMessengerCode(app.db.read, hashSecret(token), 'verify', Date.now());
