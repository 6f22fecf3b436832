import { replaceMainKey } from '../../db/credential.js';
import { audit } from '../audit.js';
import { lockAccount } from '../people.js';
import { requireMainCredential } from '../scopes.js';
import type { AccountContext } from '../trpc.js';
import { hashApiKey, newApiKey } from './secrets.js';

/** Replaces the caller's main API key and returns the new one; the old one stops working at once. */
export async function replaceKey(ctx: AccountContext): Promise<string> {
  const { app, account } = ctx;
  requireMainCredential(account);
  const key = newApiKey();
  await app.db.write(async (trx) => {
    await lockAccount(app, trx, account.id);
    await replaceMainKey(trx, {
      userId: account.id,
      hash: hashApiKey(key),
      cipher: app.secrets.encrypt(key),
      createdAt: Date.now(),
    });
    await audit(ctx, trx, 'key.replaced', { subject: account.id });
  });
  return key;
}
