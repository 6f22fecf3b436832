import { z } from 'zod';
import { deleteCodes } from '../../../db/account/code.js';
import { deleteIdentitiesOf } from '../../../db/account/identity.js';
import { deleteMessengerLink } from '../../../db/account/messenger.js';
import { deleteNamedKeys } from '../../../db/account/named-key.js';
import { deleteOauthStatesOf } from '../../../db/account/oauth-state.js';
import { deleteOidcFlowsOf } from '../../../db/account/oidc-flow.js';
import { deletePasskeysOf } from '../../../db/account/passkey.js';
import { deleteSessionsOf } from '../../../db/account/session.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { deleteForwardsOf } from '../../../db/mail/mail-forward.js';
import { endMailboxAccess } from '../../../db/mail/mailbox.js';
import { deleteWebhook } from '../../../db/webhook/webhook.js';
import { resetWebhookHealth } from '../../../db/webhook/webhook-health.js';
import { audit } from '../../core/audit.js';
import type { Context } from '../../core/context.js';
import { endAddresses } from '../../core/items/upload-purposes.js';
import { forgetChatLink } from '../chatapp/public.js';
import { giveNewKey } from './key.js';

/** Ends all sign-ins of an account: its sessions but `kept`, and what `endWaysIn` ends. Returns the number of sessions. */
export async function endSignIns(
  trx: Queryable,
  userId: number,
  kept: number | null = null,
): Promise<number> {
  await endWaysIn(trx, userId);
  return deleteSessionsOf(trx, userId, kept);
}

/** Ends pending ways to sign in: mailed codes and links, started chat logins, and codes for the bot. */
export async function endWaysIn(trx: Queryable, userId: number): Promise<void> {
  await deleteCodes(trx, userId);
  await deleteOauthStatesOf(trx, userId);
  await deleteOidcFlowsOf(trx, userId);
}

/** What a recovery has ended, for those who tell the holder. A main API key that is on is always replaced. */
export const endedAccess = z.object({
  sessions: z.int(),
  /** Named keys. */
  keys: z.int(),
  webhook: z.boolean(),
  chatapp: z.boolean(),
  messenger: z.boolean(),
  /** Identities and passkeys, which stay unless an administrator says otherwise. */
  identities: z.int(),
  passkeys: z.int(),
});
export type EndedAccess = z.output<typeof endedAccess>;

interface EndOptions {
  readonly alsoIdentities?: boolean;
  readonly alsoPasskeys?: boolean;
  /** The session of a holder who asks for it. */
  readonly keptSession?: number | null;
}

/**
 * Ends everything by which an intruder could keep access to an account or its data, in the transaction that sets a
 * password for somebody who did not know the old one: sessions, keys, cookies, sending credentials, rules and forwarding
 * of mailboxes, addresses at which files still arrive, the webhook, and linked accounts of other services. The holder may not know what was added,
 * so nothing of it stays. Identities and passkeys stay, as they may be the holder's only way in, unless they are to be
 * ended, too.
 */
export async function endAccess(
  ctx: Context,
  trx: Queryable,
  userId: number,
  { alsoIdentities = false, alsoPasskeys = false, keptSession = null }: EndOptions = {},
): Promise<EndedAccess> {
  const sessions = await endSignIns(trx, userId, keptSession);
  if ((await giveNewKey(ctx.app, trx, userId)) !== null)
    await audit(ctx, trx, 'key.replaced', { subject: userId });
  const keys = await deleteNamedKeys(trx, userId);
  if (keys > 0) await audit(ctx, trx, 'key.deleted', { subject: userId, info: { keys } });
  await endMailboxAccess(trx, userId);
  await endAddresses(trx, userId, Date.now());
  await deleteForwardsOf(trx, userId);
  const webhook = await deleteWebhook(trx, userId);
  await resetWebhookHealth(trx, userId);
  if (webhook) await audit(ctx, trx, 'webhook.removed', { subject: userId });
  const chatapp = await forgetChatLink(ctx, trx, userId);
  const messenger = await deleteMessengerLink(trx, userId);
  if (messenger) await audit(ctx, trx, 'messenger.unlinked', { subject: userId });
  const identities = alsoIdentities ? await deleteIdentitiesOf(trx, userId) : 0;
  if (identities > 0) await audit(ctx, trx, 'identity.unlinked', { subject: userId, info: { identities } });
  const passkeys = alsoPasskeys ? await deletePasskeysOf(trx, userId) : 0;
  if (passkeys > 0) await audit(ctx, trx, 'passkey.removed', { subject: userId, info: { passkeys } });
  return { sessions, keys, webhook, chatapp, messenger, identities, passkeys };
}
