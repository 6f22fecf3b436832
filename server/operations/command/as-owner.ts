import { listUsers } from '../../../db/account/account-list.js';
import { languageNamed } from '../../../routers/base/language/languages.js';
import { contextOutside } from '../../../routers/core/acting.js';
import type { Caller } from '../../../routers/core/caller.js';
import type { Context } from '../../../routers/core/context.js';
import { createCaller } from '../../../routers/index.js';
import type { Config } from '../../runtime/config/config.js';
import { createCommandLogger } from '../../runtime/logger.js';
import { type OpenServices, openServices } from '../../runtime/services.js';

/** What a command can use. */
export interface CliContext {
  readonly app: OpenServices;
  /** Every procedure, called as an owner; null if there is no owner yet. */
  readonly api: ReturnType<typeof createCaller> | null;
}

/** Opens the installation next to a running server, does some work as its owner, and closes it. */
export async function asOwner<T>(
  config: Config,
  work: (desk: CliContext) => Promise<T>,
  opening: Parameters<typeof openServices>[2] = {},
): Promise<T> {
  const app = await openServices(config, createCommandLogger(), opening);
  try {
    const context = await ownersContext(app);
    return await work({ app, api: context === null ? null : createCaller(context) });
  } finally {
    await app.db.close();
  }
}

async function ownersContext(app: OpenServices): Promise<Context | null> {
  const owners = await listUsers(
    app.db,
    { matches: null, role: 'OWNER', status: 'ACTIVE' },
    { offset: 0, limit: 1 },
  );
  const owner = owners.items[0];
  if (owner === undefined) return null;
  const caller = async (): Promise<Caller> => ({
    id: owner.id,
    username: owner.username,
    role: 'OWNER',
    active: true,
    language: languageNamed(owner.language),
    hasWebhook: false,
    pause: null,
    sessionId: null,
    key: null,
  });
  // The command ends when its work does; what is released then would end a search before it began.
  return contextOutside(app, caller, { userAgent: 'holdall command', onFinished: () => undefined });
}
