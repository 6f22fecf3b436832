import {
  liveMessengerCode,
  type MessengerCode,
  type MessengerPurpose,
  putMessengerCode,
} from '../../../db/account/messenger.js';
import { fail } from '../../base/errors.js';
import { lockAccount } from '../../core/accounts/people.js';
import type { Services } from '../../core/context.js';
import { requireOutgoing } from '../../core/outgoing.js';
import { askOnBehalf } from '../../core/provider.js';
import { hashSecret, newSecret } from '../../core/secrets.js';
import { CODE_MINUTES } from '../auth/public.js';

/** What a user needs to prove a messenger account: the bot, and the token to send it after `/start`. */
interface BotInvitation {
  readonly botname: string;
  readonly token: string;
  /** Opens the chat with the bot and the message to send. */
  readonly url: string;
}

/** Creates a new token for an account; the previous one stops working. 404 without a bot, 502 if it is unavailable. */
export async function inviteToBot(
  app: Services,
  userId: number,
  purpose: MessengerPurpose,
): Promise<BotInvitation> {
  requireOutgoing(app);
  const messenger = app.chat.messenger ?? fail('MESSENGER_ABSENT');
  await app.limits.rates.take('code', `messenger|${userId}`);
  const botname = await askOnBehalf(app, () => messenger.botName());
  const token = newSecret();
  const expiresAt = Date.now() + CODE_MINUTES * 60_000;
  await app.db.write(async (trx) => {
    await lockAccount(app, trx, userId);
    await putMessengerCode(trx, { userId, purpose, codeHash: hashSecret(token), expiresAt });
  });
  return { botname, token, url: messenger.startUrl(botname, token) };
}

/** The account to verify with this token, and its expiry (epoch milliseconds); null if it has expired. */
export const openVerification = (app: Services, token: string): Promise<MessengerCode | null> =>
  liveMessengerCode(app.db.read, hashSecret(token), 'verify', Date.now());
