import type { MailTransport } from '../../routers/ports/mail.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../logger.js';
import { openMailgun } from './mailgun.js';
import { openOutbox } from './outbox.js';
import { openSmtp } from './smtp.js';

/**
 * The driver named by `MAIL_TRANSPORT`. Libraries are loaded with the first mail. Throws when
 * the driver's settings are missing.
 */
export function openMailTransport(config: Pick<Config, 'mail' | 'dataDir'>, log: Logger): MailTransport {
  const { transport, from, smtpUrl, mailgun } = config.mail;
  if (transport === 'smtp') return openSmtp(required(smtpUrl, 'SMTP_URL'), from, log);
  if (transport === 'mailgun') {
    const apiKey = required(mailgun.apiKey, 'MAILGUN_API_KEY');
    const domain = required(mailgun.domain, 'MAILGUN_DOMAIN');
    return openMailgun({ apiKey, domain, url: mailgun.url }, from);
  }
  return openOutbox(config.dataDir, from, log);
}

function required(value: string | null, name: string): string {
  if (value === null) throw new Error(`${name} is not set`);
  return value;
}
