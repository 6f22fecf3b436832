import type { Log } from '../../../routers/ports/log.js';
import type { MailTransport } from '../../../routers/ports/mail.js';
import type { StorageOptions } from '../storage/options.js';
import { openMailgun } from './mailgun.js';
import type { MailOptions } from './options.js';
import { openOutbox } from './outbox.js';
import { openSmtp } from './smtp.js';

/** Opens the driver named by `MAIL_TRANSPORT`. Libraries are loaded with the first mail. */
export function openMailTransport(
  { mail, dataDir }: MailOptions & Pick<StorageOptions, 'dataDir'>,
  log: Log,
): MailTransport {
  if (mail.transport === 'smtp') return openSmtp(mail.smtpUrl, mail.from, log);
  if (mail.transport === 'mailgun') return openMailgun(mail.account, mail.from);
  return openOutbox(dataDir, mail.from, log);
}
