import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { MailContent, VerificationData } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** The code and the link that confirm an address. */
export function verificationMail(data: VerificationData, service: string, i18n: I18n): MailContent {
  const { minutes } = data;
  return layOut(
    i18n.language,
    i18n.t('Confirm your {service} account', { service }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username: data.username }) },
      { kind: 'text', text: i18n.t('Enter this code to confirm your account:') },
      { kind: 'code', code: data.code },
      { kind: 'link', label: i18n.t('Or open this link'), url: data.link },
      {
        kind: 'text',
        text: i18n.t('The code and the link work once and expire after {minutes} minutes.', { minutes }),
      },
    ],
    i18n.t(
      'Someone registered at {service} with this address. If this was not you, ignore this e-mail; nothing else will happen.',
      { service },
    ),
  );
}
