import { foldCase, lockUser, type User } from '../../../db/account/account.js';
import {
  messengerLinkById,
  noteMessengerUpdate,
  saveMessengerLink,
  takeMessengerCode,
} from '../../../db/account/messenger.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { DomainError } from '../../base/errors.js';
import type { MessengerUpdate } from '../../base/ports/chat.js';
import { isShutOut } from '../../base/roles.js';
import { audit } from '../../core/audit.js';
import type { Services } from '../../core/context.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { hashSecret } from '../../core/secrets.js';
import { activate, announceVerified } from '../auth/public.js';

/** The result of a message to the bot. */
type Outcome = 'repeated' | 'nothing' | 'unknown' | 'taken' | 'linked' | 'verified';

/** The audit source of background work, which has no address. */
const BOT = { address: null };

/**
 * Handles a message to the bot: `/start <token>` activates a pending account or links the messenger account.
 * A repeated message is ignored; a token works once. Throws only for temporary errors.
 */
export async function takeUpdate(app: Services, update: MessengerUpdate): Promise<void> {
  if (!(await mayAct(app, update))) return;
  const outcome = update.startToken === null ? 'nothing' : await actOn(app, update, update.startToken);
  if (outcome !== 'repeated') await answer(app, update, outcome);
}

/** False if a user sends the bot too many messages. */
async function mayAct(app: Services, update: MessengerUpdate): Promise<boolean> {
  try {
    await app.limits.rates.take('code', `messenger-chat|${update.chatId}`);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

const act = (outcome: Outcome, userId: number | null = null) => ({ outcome, userId });

async function actOn(app: Services, update: MessengerUpdate, token: string): Promise<Outcome> {
  try {
    const { outcome, userId } = await app.db.write(async (trx) => {
      const at = Date.now();
      if (!(await noteMessengerUpdate(trx, update.updateId, at))) return act('repeated');
      const code = await takeMessengerCode(trx, hashSecret(token), at);
      const user = code === null ? null : await lockUser(app.db, trx, code.userId);
      if (code === null || user === null || isShutOut(user.role)) return act('unknown');
      return act(
        await (code.purpose === 'verify' ? verify(app, trx, user) : link(app, trx, user, update, at)),
        user.id,
      );
    });
    if (outcome === 'linked' || outcome === 'verified') app.jobs.kick();
    if (outcome === 'verified' && userId !== null) announceVerified(app, userId);
    return outcome;
  } catch (error) {
    // Another request linked the same messenger account at the same time.
    if (app.db.dialect.isUniqueViolation(error)) return 'taken';
    throw error;
  }
}

async function verify(app: Services, trx: Queryable, user: User): Promise<Outcome> {
  return (await activate(app, BOT, trx, user.id, foldCase(user.email))) ? 'verified' : 'unknown';
}

async function link(
  app: Services,
  trx: Queryable,
  user: User,
  update: MessengerUpdate,
  at: number,
): Promise<Outcome> {
  const holder = await messengerLinkById(trx, update.userId);
  if (holder !== null && holder.userId !== user.id) return 'taken';
  if (holder === null) await notifyHolder(app, trx, user, { what: 'messengerLinked', name: update.name });
  await saveMessengerLink(trx, {
    userId: user.id,
    messengerId: update.userId,
    chatId: update.chatId,
    username: update.username,
    name: update.name,
    connectedAt: at,
  });
  await audit(BOT, trx, 'messenger.linked', { actor: user.id, subject: user.id });
  return 'linked';
}

/** Tells the user. The result stands even if the message does not arrive. */
async function answer(app: Services, update: MessengerUpdate, outcome: Exclude<Outcome, 'repeated'>) {
  const { origin } = app.settings;
  const texts: Readonly<Record<typeof outcome, string>> = {
    nothing: `To verify or link an account, start at ${origin}`,
    unknown: `This code is wrong, already used or older than 15 minutes. Get a new one at ${origin}`,
    taken: 'This messenger account is already linked to another account.',
    linked: `Linked to your account at ${origin}`,
    verified: `Your account at ${origin} is active. You can sign in now.`,
  };
  try {
    await app.chat.messenger?.send(update.chatId, texts[outcome]);
  } catch (error) {
    app.log.warn({ err: error }, 'the bot could not reply');
  }
}
