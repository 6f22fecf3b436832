import type { Speech } from '../../../../routers/base/language/i18n.js';
import type { MailContent, NewAddressData } from '../../../../routers/base/ports/mail-templates.js';
import { layOut } from './layout.js';

/** The link that confirms the new address of an account. */
export function newAddressMail(data: NewAddressData, service: string, speech: Speech): MailContent {
  const { minutes } = data;
  return layOut(
    speech.language,
    speech.t('Confirm your new e-mail address for {service}', { service }),
    [
      { kind: 'text', text: speech.t('Hello {username},', { username: data.username }) },
      { kind: 'text', text: speech.t('You asked to use this e-mail address for your account.') },
      { kind: 'link', label: speech.t('Use this address'), url: data.link },
      {
        kind: 'text',
        text: speech.t('The link works once and expires after {minutes} minutes.', { minutes }),
      },
    ],
    speech.t('If this was not you, ignore this e-mail; nothing else will happen.'),
  );
}
