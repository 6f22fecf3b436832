import type { Services } from '../../../routers/context.js';
import type { Config } from '../../runtime/config/config.js';
import type { Logger } from '../../runtime/logger.js';
import { checkMail } from './check.js';
import { openInbound } from './inbound.js';
import { openMailgunStore } from './mailgun-store.js';
import { openMailTransport } from './open.js';
import { sanitiseMail } from './sanitise.js';

/** Opens the services that send, receive and read mail, as configured. */
export function openMailServices(
  config: Pick<Config, 'mail' | 'dataDir'>,
  log: Logger,
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
