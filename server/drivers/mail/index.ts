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
import { accessChangedMail } from './templates/access-changed.js';
import { activatedMail } from './templates/activated.js';
import { addressChangedMail } from './templates/address-changed.js';
import { accountRefusedMail, accountWaitingMail } from './templates/approval.js';
import { chatLinkedMail } from './templates/chat-linked.js';
import { collectionSharedMail } from './templates/collection-shared.js';
import { domainPausedMail } from './templates/domain-paused.js';
import { filesReceivedMail } from './templates/files-received.js';
import { forwardRequestMail } from './templates/forward-request.js';
import { linkSharedMail } from './templates/link-shared.js';
import { linksBrokenMail } from './templates/links-broken.js';
import { newAddressMail } from './templates/new-address.js';
import { openedDailyMail, openedMail } from './templates/opened.js';
import { passwordResetMail } from './templates/password-reset.js';
import { verificationMail } from './templates/verification.js';
import { webhookDisabledMail } from './templates/webhook-disabled.js';

/** Opens what writes, sends, receives and reads mail, as configured. */
export function openMail(
  config: MailOptions & Pick<StorageOptions, 'dataDir'>,
  reading: ReadingApart,
  log: Log,
): MailServices {
  const { from, mailgun } = config.mail;
  return {
    transport: openMailTransport(config, log),
    templates: (service, i18n) => ({
      verification: (data) => verificationMail(data, service, i18n),
      activated: (data) => activatedMail(data, service, i18n),
      accountWaiting: (data) => accountWaitingMail(data, service, i18n),
      accountRefused: (data) => accountRefusedMail(data, service, i18n),
      passwordReset: (data) => passwordResetMail(data, service, i18n),
      newAddress: (data) => newAddressMail(data, service, i18n),
      addressChanged: (data) => addressChangedMail(data, service, i18n),
      webhookDisabled: (data) => webhookDisabledMail(data, service, i18n),
      chatLinked: (data) => chatLinkedMail(data, service, i18n),
      accessChanged: (data) => accessChangedMail(data, service, i18n),
      forwardRequest: (data) => forwardRequestMail(data, i18n),
      filesReceived: (data) => filesReceivedMail(data, i18n),
      domainPaused: (data) => domainPausedMail(data, i18n),
      opened: (data) => openedMail(data, i18n),
      openedDaily: (data) => openedDailyMail(data, i18n),
      linksBroken: (data) => linksBrokenMail(data, i18n),
      collectionShared: (data) => collectionSharedMail(data, i18n),
      linkShared: (data) => linkSharedMail(data, i18n),
    }),
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
