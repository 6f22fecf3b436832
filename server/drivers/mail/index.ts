import type { Log } from '../../../routers/ports/log.js';
import type { MailServices } from '../../../routers/ports/mail.js';
import type { StorageOptions } from '../storage/options.js';
import { checkMail } from './check.js';
import { openInbound } from './inbound.js';
import { openMailgunStore } from './mailgun-store.js';
import { openMailTransport } from './open.js';
import type { MailOptions } from './options.js';
import { sanitiseMail } from './sanitise.js';
import { chatLinkedMail } from './templates/chat-linked.js';
import { passwordResetMail } from './templates/password-reset.js';
import { verificationMail } from './templates/verification.js';
import { webhookDisabledMail } from './templates/webhook-disabled.js';

/** Opens what writes, sends, receives and reads mail, as configured. */
export function openMail(config: MailOptions & Pick<StorageOptions, 'dataDir'>, log: Log): MailServices {
  const { from, mailgun } = config.mail;
  return {
    transport: openMailTransport(config, log),
    templates: {
      verification: verificationMail,
      passwordReset: passwordResetMail,
      webhookDisabled: webhookDisabledMail,
      chatLinked: chatLinkedMail,
    },
    check: (mail) => void checkMail(mail, from),
    inbound: openInbound(config),
    store: mailgun === null ? null : openMailgunStore(mailgun),
    sanitise: sanitiseMail,
  };
}
