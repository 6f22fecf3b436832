import { z } from 'zod';
import { deleteCodes } from '../../db/account/code.js';
import { deleteSessionsOf } from '../../db/account/credential.js';
import { deleteMessengerLink } from '../../db/account/messenger.js';
import { deleteNamedKeys } from '../../db/account/named-key.js';
import { deleteOauthStatesOf } from '../../db/account/oauth-state.js';
import type { Queryable } from '../../db/engine/queryable.js';
import { forgetMailboxCookies } from '../../db/mail/mailbox.js';
import { deleteWebhook } from '../../db/webhook/webhook.js';
import { resetWebhookHealth } from '../../db/webhook/webhook-health.js';
import { audit } from '../audit.js';
import { forgetChatLink } from '../chatapp/link.js';
import type { Context } from '../context.js';
import { giveNewKey } from './key.js';

/** Ends all sign-ins of an account: its sessions, and what `endWaysIn` ends. Returns the number of sessions. */
export async function endSignIns(trx: Queryable, userId: number): Promise<number> {
  await endWaysIn(trx, userId);
  return deleteSessionsOf(trx, userId);
}

/** Ends pending ways to sign in: mailed codes and links, started chat logins, and codes for the bot. */
export async function endWaysIn(trx: Queryable, userId: number): Promise<void> {
  await deleteCodes(trx, userId);
  await deleteOauthStatesOf(trx, userId);
}

/** What a recovery has ended, for those who tell the holder. The main API key is always replaced. */
export const endedAccess = z.object({
  sessions: z.int(),
  /** Named keys. */
  keys: z.int(),
  webhook: z.boolean(),
  chatapp: z.boolean(),
  messenger: z.boolean(),
});
export type EndedAccess = z.output<typeof endedAccess>;

/**
 * Ends everything by which an intruder could keep access to an account or its data, in the transaction that sets a
 * password for somebody who did not know the old one: sessions, keys, mailbox cookies, the webhook, and linked
 * accounts of other services. The holder may not know what was added, so nothing of it stays.
 */
export async function endAccess(ctx: Context, trx: Queryable, userId: number): Promise<EndedAccess> {
  const sessions = await endSignIns(trx, userId);
  await giveNewKey(ctx.app, trx, userId);
  await audit(ctx, trx, 'key.replaced', { subject: userId });
  const keys = await deleteNamedKeys(trx, userId);
  if (keys > 0) await audit(ctx, trx, 'key.deleted', { subject: userId, info: { keys } });
  await forgetMailboxCookies(trx, userId);
  const webhook = await deleteWebhook(trx, userId);
  await resetWebhookHealth(trx, userId);
  if (webhook) await audit(ctx, trx, 'webhook.removed', { subject: userId });
  const chatapp = await forgetChatLink(ctx, trx, userId);
  const messenger = await deleteMessengerLink(trx, userId);
  if (messenger) await audit(ctx, trx, 'messenger.unlinked', { subject: userId });
  return { sessions, keys, webhook, chatapp, messenger };
}
