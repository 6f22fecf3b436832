import {
  type ChatLink,
  claimRenewal,
  lockChatLink,
  replaceTokens,
  type StoredTokens,
} from '../../../db/account/chat-link.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { ChatApp, ChatAppTokens } from '../../base/ports/chat.js';
import { ProviderDown, ProviderRefused } from '../../base/ports/provider.js';
import type { Secrets } from '../../base/ports/secrets.js';
import type { Services } from '../../core/context.js';

/** Tokens that expire sooner than this are renewed when they are used. */
const STALE_MS = 60 * 60 * 1000;
/** Longer than a request to the provider may take, so that no other caller renews at the same time. */
const RENEWAL_MS = 60_000;

/** Encrypts tokens for storage. */
export const sealTokens = (secrets: Secrets, tokens: ChatAppTokens): StoredTokens => ({
  accessCipher: secrets.encrypt(tokens.accessToken),
  refreshCipher: tokens.refreshToken === null ? null : secrets.encrypt(tokens.refreshToken),
  expiresAt: tokens.expiresAt,
});

/** Every token, for revoking. */
export const everyToken = ({ accessToken, refreshToken }: ChatAppTokens): string[] =>
  refreshToken === null ? [accessToken] : [accessToken, refreshToken];

/** Every token of a link, for revoking. */
export const tokensOf = (secrets: Secrets, link: StoredTokens): string[] =>
  [link.accessCipher, link.refreshCipher]
    .filter((cipher) => cipher !== null)
    .map((cipher) => secrets.decrypt(cipher));

/** Revokes a token at the provider; if it refuses, the token is already invalid. Throws `ProviderDown`. */
export async function endToken(chatApp: ChatApp, token: string): Promise<void> {
  try {
    await chatApp.revoke(token);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
  }
}

/** Revokes tokens at the provider after the commit, with as many retries as needed. */
export async function endTokensLater(
  app: Services,
  trx: Queryable,
  tokens: readonly string[],
): Promise<void> {
  if (tokens.length > 0) await app.jobs.add(trx, 'chatRevoke', { tokens });
}

/**
 * The link with tokens that remain valid for a while. Unchanged if the provider cannot renew them now;
 * without its refresh token if the provider will never renew them.
 */
export async function withFreshTokens(app: Services, link: ChatLink): Promise<ChatLink> {
  const at = Date.now();
  const {
    chat: { app: chatApp },
    secrets,
  } = app;
  if (chatApp === null || link.refreshCipher === null || link.expiresAt > at + STALE_MS) return link;
  if (!(await app.db.write((trx) => claimRenewal(trx, link, at, at + RENEWAL_MS)))) return link;
  const renewed = await renew(app, chatApp, link.refreshCipher, link);
  if (renewed === null) return link;
  const stored = await app.db.write(async (trx) => {
    if (await replaceTokens(trx, link, renewed)) return true;
    // If the account was unlinked meanwhile, the new tokens would be lost, so revoke them. If the user has
    // logged in or linked again instead, revoking them would revoke the newer tokens, because the provider
    // keeps one authorisation per person.
    if ((await lockChatLink(app.db, trx, link.chatId)) === null)
      await endTokensLater(app, trx, tokensOf(secrets, renewed));
    return false;
  });
  if (!stored) app.jobs.kick();
  return stored ? { ...link, ...renewed } : link;
}

/** New tokens to store; null if the provider is unavailable. */
async function renew(
  app: Services,
  chatApp: ChatApp,
  refreshCipher: string,
  link: ChatLink,
): Promise<StoredTokens | null> {
  try {
    const tokens = await chatApp.refresh(app.secrets.decrypt(refreshCipher));
    const sealed = sealTokens(app.secrets, tokens);
    return tokens.refreshToken === null ? { ...sealed, refreshCipher } : sealed;
  } catch (error) {
    if (error instanceof ProviderRefused) return { ...link, refreshCipher: null };
    if (!(error instanceof ProviderDown)) throw error;
    app.log.warn({ err: error }, 'the tokens of a chat link could not be renewed');
    return null;
  }
}
