import { lockUser, type User, userById } from '../../../db/account/account.js';
import {
  type ChatLink,
  chatLinkByChatId,
  chatLinkOfUser,
  deleteChatLink,
  lockChatLink,
  replaceTokens,
  saveChatLink,
} from '../../../db/account/chat-link.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import type { ChatAppPerson, ChatAppTokens } from '../../base/ports/chat.js';
import { ProviderDown } from '../../base/ports/provider.js';
import { isShutOut } from '../../base/roles.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { queueMail } from '../../core/mail/outgoing.js';
import { askOnBehalf } from '../../core/provider.js';
import { chatAppOf } from './flow.js';
import { endToken, endTokensLater, everyToken, sealTokens, tokensOf } from './tokens.js';

/**
 * Links the chat account of these tokens to a Holdall account, atomically. Replaces a link to another chat
 * account and mails the owner. 400 if the chat account is linked to another Holdall account. 401, and the
 * tokens are revoked, if the account was deleted, banned or given another password since the flow `began`.
 */
export async function linkAccount(ctx: Context, began: User, tokens: ChatAppTokens): Promise<ChatLink> {
  const { app } = ctx;
  const userId = began.id;
  const person = await askOnBehalf(app, () => chatAppOf(app).whoAmI(tokens.accessToken));
  try {
    const link = await app.db.write(async (trx) => {
      const user = await lockUser(app.db, trx, userId);
      if (user === null || user.passwordHash !== began.passwordHash || isShutOut(user.role)) {
        await endTokensLater(app, trx, everyToken(tokens));
        return null;
      }
      const holder = await chatLinkByChatId(trx, person.id);
      if (holder !== null && holder.userId !== userId) fail('CHATAPP_TAKEN');
      const before = await chatLinkOfUser(trx, userId);
      // The provider keeps one authorisation per person: revoking old tokens of the same person would revoke
      // the new ones.
      if (before !== null && before.chatId !== person.id) {
        await endTokensLater(app, trx, tokensOf(app.secrets, before));
      }
      if (before?.chatId !== person.id) await notifyOfLink(app, trx, user, person);
      const { id: chatId, ...profile } = person;
      const sealed = sealTokens(app.secrets, tokens);
      await audit(ctx, trx, 'chatapp.linked', { actor: userId, subject: userId });
      return saveChatLink(trx, { userId, chatId, ...profile, ...sealed, connectedAt: Date.now() });
    });
    app.jobs.kick();
    return link ?? fail('UNAUTHENTICATED');
  } catch (error) {
    if (app.db.dialect.isUniqueViolation(error)) fail('CHATAPP_TAKEN', { cause: error });
    throw error;
  }
}

/** Mails the owner of the account: an intruder with a session or the key could have linked their own account. */
async function notifyOfLink(app: Services, trx: Queryable, user: User, person: ChatAppPerson): Promise<void> {
  const mail = (await mailsOf(app, trx, user)).chatLinked({
    username: user.username,
    chatName: person.username,
    settingsLink: `${app.settings.origin}/web/settings/security`,
  });
  await queueMail(app, trx, { to: user.email, ...mail });
}

/**
 * The Holdall account linked to the chat account of these tokens, read while the link is locked. Stores the
 * tokens, which are newer than the stored ones. 404 if there is no link; `ours` tokens are then revoked,
 * because they would be lost.
 */
export async function linkedUser(
  app: Services,
  tokens: ChatAppTokens,
  { ours }: { readonly ours: boolean },
): Promise<User> {
  const person = await askOnBehalf(app, () => chatAppOf(app).whoAmI(tokens.accessToken));
  const user = await app.db.write(async (trx) => {
    const link = await lockChatLink(app.db, trx, person.id);
    if (link !== null) {
      await replaceTokens(trx, link, sealTokens(app.secrets, tokens));
      return userById(trx, link.userId);
    }
    if (ours) await endTokensLater(app, trx, everyToken(tokens));
    return null;
  });
  app.jobs.kick();
  return user ?? fail('CHATAPP_NOT_LINKED');
}

/** Ends a link and revokes its tokens at the provider, later if that is down; 404 if there is no link. */
export async function unlinkAccount(ctx: AccountContext): Promise<void> {
  const { app } = ctx;
  const userId = ctx.account.id;
  const link = found(await chatLinkOfUser(app.db.read, userId));
  const over = await endNow(app, tokensOf(app.secrets, link));
  const ended = await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, userId);
    const last = await deleteChatLink(trx, userId, link.chatId);
    if (last === null) return false;
    await audit(ctx, trx, 'chatapp.unlinked', { subject: userId });
    await notifyHolder(app, trx, user, { what: 'chatUnlinked', name: last.username });
    // If the tokens were renewed meanwhile, or not revoked yet, the last ones must be revoked.
    if (!over || last.accessCipher !== link.accessCipher) {
      await endTokensLater(app, trx, tokensOf(app.secrets, last));
    }
    return true;
  });
  app.jobs.kick();
  if (!ended) fail('NOT_FOUND');
}

/**
 * Ends the link of an account, in the transaction that resets or removes it; revokes its tokens soon after. False if
 * there was none.
 */
export async function forgetChatLink(ctx: Context, trx: Queryable, userId: number): Promise<boolean> {
  const { app } = ctx;
  const held = await chatLinkOfUser(trx, userId);
  const link = held === null ? null : await deleteChatLink(trx, userId, held.chatId);
  if (link === null) return false;
  await audit(ctx, trx, 'chatapp.unlinked', { subject: userId });
  await endTokensLater(app, trx, tokensOf(app.secrets, link));
  return true;
}

/** True if the provider has revoked all of them. */
async function endNow(app: Services, tokens: readonly string[]): Promise<boolean> {
  const chatApp = app.chat.app;
  if (chatApp === null) return false;
  try {
    await Promise.all(tokens.map((token) => endToken(chatApp, token)));
    return true;
  } catch (error) {
    if (!(error instanceof ProviderDown)) throw error;
    app.log.warn({ err: error }, 'tokens could not be revoked yet');
    return false;
  }
}
