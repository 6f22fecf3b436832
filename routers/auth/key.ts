import { replaceMainKey } from '../../db/account/credential.js';
import type { Queryable } from '../../db/engine/queryable.js';
import { audit } from '../audit.js';
import type { Services } from '../context.js';
import { requireMainCredential } from '../scopes.js';
import { lockAccount } from '../shared/people.js';
import type { AccountContext } from '../trpc.js';
import { hashApiKey, newApiKey } from './secrets.js';

/** Replaces the caller's main API key and returns the new one; the old one stops working at once. */
export async function replaceKey(ctx: AccountContext): Promise<string> {
  const { app, account } = ctx;
  requireMainCredential(account);
  return app.db.write(async (trx) => {
    await lockAccount(app, trx, account.id);
    await audit(ctx, trx, 'key.replaced', { subject: account.id });
    return giveNewKey(app, trx, account.id);
  });
}

/** Replaces the main API key of an account and returns the new one. */
export async function giveNewKey(app: Services, trx: Queryable, userId: number): Promise<string> {
  const key = newApiKey();
  const cipher = app.secrets.encrypt(key);
  await replaceMainKey(trx, { userId, hash: hashApiKey(key), cipher, createdAt: Date.now() });
  return key;
}
