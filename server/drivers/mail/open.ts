import type { Log } from '../../../routers/base/ports/log.js';
import type { MailTransport } from '../../../routers/base/ports/mail/mail.js';
import type { StorageOptions } from '../storage/options.js';
import type { MailOptions } from './options.js';
import { TRANSPORTS } from './providers.js';

/** Opens the driver named by `MAIL_TRANSPORT`. Libraries are loaded with the first mail. */
export function openMailTransport(
  { mail: { transport, values, from }, dataDir }: MailOptions & Pick<StorageOptions, 'dataDir'>,
  log: Log,
): MailTransport {
  return TRANSPORTS[transport].open(values, { from, dataDir, log });
}
