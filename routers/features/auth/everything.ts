import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { type EndedAccess, endAccess } from './ending.js';
import { requireProof, requireStillProven } from './proof.js';

/**
 * Ends all access to the caller's account but the session that asks, with proof that its holder is there: everything
 * that a recovery ends (`endAccess`), identities and passkeys, too. These two stay where no password can replace them.
 */
export async function endEverything(
  ctx: AccountContext,
  password: string | null | undefined,
): Promise<EndedAccess> {
  const { app, account } = ctx;
  const proven = await requireProof(ctx, password);
  const byPassword = app.settings.signIn.includes('password');
  const ended = await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    requireStillProven(proven, user);
    const over = await endAccess(ctx, trx, user.id, {
      alsoIdentities: byPassword,
      alsoPasskeys: byPassword,
      keptSession: account.sessionId,
    });
    await audit(ctx, trx, 'session.revoked', { subject: user.id, info: over });
    await notifyHolder(app, trx, user, { what: 'everythingEnded' });
    return over;
  });
  app.jobs.kick();
  return ended;
}
