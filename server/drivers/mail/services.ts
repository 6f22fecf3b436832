import type { Services } from '../../../routers/context.js';
import type { Log } from '../../../routers/ports/log.js';
import type { StorageOptions } from '../storage/options.js';
import { checkMail } from './check.js';
import { openInbound } from './inbound.js';
import { openMailgunStore } from './mailgun-store.js';
import { openMailTransport } from './open.js';
import type { MailOptions } from './options.js';
import { sanitiseMail } from './sanitise.js';

/** Opens the services that send, receive and read mail, as configured. */
export function openMailServices(
  config: MailOptions & Pick<StorageOptions, 'dataDir'>,
  log: Log,
): Pick<Services, 'mail' | 'checkMail' | 'inboundMail' | 'mailStore' | 'sanitiseMail'> {
  const { from, mailgun } = config.mail;
  return {
    mail: openMailTransport(config, log),
    checkMail: (mail) => void checkMail(mail, from),
    inboundMail: openInbound(config),
    mailStore: mailgun === null ? null : openMailgunStore(mailgun),
    sanitiseMail,
  };
}
