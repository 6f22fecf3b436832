import type { Log } from '../../../routers/base/ports/log.js';
import type { MailServices } from '../../../routers/base/ports/mail/mail-services.js';
import type { StorageOptions } from '../storage/options.js';
import { checkMail } from './check.js';
import { openInbound } from './inbound.js';
import { openMailgunStore } from './mailgun-store.js';
import { openMailTransport } from './open.js';
import type { MailOptions } from './options.js';
import { writeMail } from './original.js';
import type { ReadingApart } from './reading/apart.js';
import { openAuthentication } from './smtp-in/authenticate.js';
import { oneOf } from './smtp-in/trusted.js';
import { mailTemplates } from './templates/index.js';

/** Opens what writes, sends, receives and reads mail, as configured. */
export function openMail(
  config: MailOptions & Pick<StorageOptions, 'dataDir'>,
  reading: ReadingApart,
  log: Log,
): MailServices {
  const { from, mailgun } = config.mail;
  return {
    transport: openMailTransport(config, log),
    templates: mailTemplates,
    check: (mail) => {
      const { from: sender, recipients } = checkMail(mail, from);
      return { sender: sender.address, recipients };
    },
    inbound: openInbound(config, reading),
    store: mailgun === null ? null : openMailgunStore(mailgun, reading),
    sanitise: reading.sanitise,
    words: reading.words,
    write: writeMail,
    authenticate: config.mail.authentication
      ? openAuthentication(
          {
            mta: config.mail.domains[0],
            resolvers: config.mail.resolvers,
            isTrusted: oneOf(config.mail.smtpIn?.trusted ?? []),
          },
          log,
        )
      : async () => null,
  };
}
