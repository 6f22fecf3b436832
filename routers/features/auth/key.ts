import { z } from 'zod';
import { deleteMainKey, insertMainKey, mainKeyUse, replaceMainKey } from '../../../db/account/main-key.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { isoOrNull } from '../../base/text/dates.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Services } from '../../core/context.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { requireMainCredential } from '../../core/scopes.js';
import { hashApiKey, newApiKey } from '../../core/secrets.js';

/**
 * Replaces the caller's main API key and returns the new one; the old one stops working at once. One that was switched
 * off is on again.
 */
export async function replaceKey(ctx: AccountContext): Promise<string | null> {
  const { app, account } = ctx;
  requireMainCredential(account);
  const key = await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    await audit(ctx, trx, 'key.replaced', { subject: account.id });
    await notifyHolder(app, trx, user, { what: 'mainKeyReplaced' });
    return giveNewKey(app, trx, account.id, { on: true });
  });
  app.jobs.kick();
  return key;
}

/** Switches the caller's main API key off, until it is replaced; it stops working at once. */
export async function switchKeyOff(ctx: AccountContext): Promise<void> {
  const { app, account } = ctx;
  requireMainCredential(account);
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    if (!(await deleteMainKey(trx, account.id))) return;
    await audit(ctx, trx, 'key.disabled', { subject: account.id });
    await notifyHolder(app, trx, user, { what: 'mainKeyOff' });
  });
  app.jobs.kick();
}

/** Whether the caller's main API key is on, and when it was last used. */
export const mainKeyState = z.object({
  enabled: z.boolean(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedIp: z.string().nullable(),
});

/** The state of the caller's main API key. */
export async function describeKey({ app, account }: AccountContext): Promise<z.output<typeof mainKeyState>> {
  await app.keyUses.flush();
  const use = await mainKeyUse(app.db.read, account.id);
  return {
    enabled: use !== null,
    lastUsedAt: isoOrNull(use?.lastUsedAt ?? null),
    lastUsedIp: use?.lastUsedIp ?? null,
  };
}

/**
 * Replaces the main API key of an account and returns the new one. One that is switched off stays so and gets no
 * successor, unless `on`.
 */
export async function giveNewKey(
  app: Services,
  trx: Queryable,
  userId: number,
  { on = false }: { readonly on?: boolean } = {},
): Promise<string | null> {
  const key = newApiKey();
  const next = { userId, hash: hashApiKey(key), cipher: app.secrets.encrypt(key), createdAt: Date.now() };
  if (await replaceMainKey(trx, next)) return key;
  if (!on) return null;
  await insertMainKey(trx, next);
  return key;
}
