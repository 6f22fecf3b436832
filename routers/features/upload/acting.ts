import { standingOf } from '../../../db/account/limits.js';
import { webhookOf } from '../../../db/webhook/webhook.js';
import { fail } from '../../base/errors.js';
import { languageNamed } from '../../base/language/languages.js';
import { contextOutside } from '../../core/acting.js';
import type { Caller } from '../../core/caller.js';
import type { AccountContext, Services } from '../../core/context.js';

/**
 * The context of work that is done for an account after its request. Its role and status are looked up whenever they
 * are asked for, so that an account that was banned or deleted meanwhile is refused. 401 if it does not exist.
 */
export async function actingFor(app: Services, accountId: number): Promise<AccountContext> {
  const { urlCipher } = await webhookOf(app.db.read, accountId);
  const caller = async (): Promise<Caller | null> => {
    const [user, standing] = await Promise.all([
      app.load.user(accountId),
      standingOf(app.db.read, accountId),
    ]);
    if (user === null) return null;
    return {
      id: user.id,
      username: user.username,
      role: user.role,
      active: user.status === 'ACTIVE',
      language: languageNamed(user.language),
      hasWebhook: urlCipher !== null,
      sessionId: null,
      key: null,
      pause: standing?.pause ?? null,
    };
  };
  const account = (await caller()) ?? fail('UNAUTHENTICATED');
  return { ...contextOutside(app, caller), account };
}
