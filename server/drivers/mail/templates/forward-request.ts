import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { ForwardRequestData, MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Asks the holder of an address whether the mail of a mailbox may be forwarded there. */
export function forwardRequestMail(data: ForwardRequestData, i18n: I18n): MailContent {
  const { username, mailbox, hours } = data;
  return layOut(
    i18n.language,
    i18n.t('Forward the mail of {mailbox} to you?', { mailbox }),
    [
      {
        kind: 'text',
        text: i18n.t('{username} wants everything that {mailbox} receives to be forwarded to you.', {
          username,
          mailbox,
        }),
      },
      { kind: 'link', label: i18n.t('See the request and agree'), url: data.link },
      {
        kind: 'text',
        text: i18n.t('The link works once and expires after {hours} hours. Nothing is forwarded before.', {
          hours,
        }),
      },
    ],
    i18n.t('If you do not know what this is about, ignore this e-mail.'),
  );
}
