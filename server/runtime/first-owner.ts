import { DomainError } from '../../routers/base/errors.js';
import type { Services } from '../../routers/core/context.js';
import { ensureOwner, issueOwnerCode } from '../../routers/features/auth/first-owner.js';
import type { ProcessRole } from './cluster/role.js';
import { type Config, wrongVariables } from './config/config.js';
import type { Logger } from './logger.js';

/** The variable that conflicts with another account. */
const TAKEN: Readonly<Record<string, string>> = {
  USERNAME_TAKEN: 'OWNER_USERNAME',
  EMAIL_TAKEN: 'OWNER_EMAIL',
};

/** Creates the configured owner. If there is no owner, returns the text to print. */
export async function prepareOwner(
  config: Config,
  services: Services,
  place: ProcessRole,
  log: Logger,
): Promise<string | null> {
  if (config.owner !== null) {
    if (await ensureOwner(services, config.owner).catch(refuseOwner))
      log.info({ username: config.owner.username }, 'owner account created');
    return null;
  }
  const code = place.first ? await issueOwnerCode(services) : null;
  return code === null
    ? null
    : `\nThis installation has no owner yet. Register the owner at ${config.origin}/web/register\ninvite ${code}\n\n`;
}

function refuseOwner(error: unknown): never {
  const taken = error instanceof DomainError ? TAKEN[error.reason] : undefined;
  throw taken === undefined ? error : wrongVariables([`${taken}: is already used by another account`]);
}
