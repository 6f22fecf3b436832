import type { Speech } from '../../../../routers/base/language/i18n.js';
import type { MailContent, VerificationData } from '../../../../routers/base/ports/mail-templates.js';
import { layOut } from './layout.js';

/** The code and the link that confirm an address. */
export function verificationMail(data: VerificationData, service: string, speech: Speech): MailContent {
  const { minutes } = data;
  return layOut(
    speech.language,
    speech.t('Confirm your {service} account', { service }),
    [
      { kind: 'text', text: speech.t('Hello {username},', { username: data.username }) },
      { kind: 'text', text: speech.t('Enter this code to confirm your account:') },
      { kind: 'code', code: data.code },
      { kind: 'link', label: speech.t('Or open this link'), url: data.link },
      {
        kind: 'text',
        text: speech.t('The code and the link work once and expire after {minutes} minutes.', { minutes }),
      },
    ],
    speech.t(
      'Someone registered at {service} with this address. If this was not you, ignore this e-mail; nothing else will happen.',
      { service },
    ),
  );
}
