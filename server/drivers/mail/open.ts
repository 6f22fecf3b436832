import type { MailTransport } from '../../../routers/ports/mail.js';
import type { Config } from '../../runtime/config/config.js';
import type { Logger } from '../../runtime/logger.js';
import { openMailgun } from './mailgun.js';
import { openOutbox } from './outbox.js';
import { openSmtp } from './smtp.js';

/** Opens the driver named by `MAIL_TRANSPORT`. Libraries are loaded with the first mail. */
export function openMailTransport(
  { mail, dataDir }: Pick<Config, 'mail' | 'dataDir'>,
  log: Logger,
): MailTransport {
  if (mail.transport === 'smtp') return openSmtp(mail.smtpUrl, mail.from, log);
  if (mail.transport === 'mailgun') return openMailgun(mail.account, mail.from);
  return openOutbox(dataDir, mail.from, log);
}
