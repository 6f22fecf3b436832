import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { MailContent, NewAddressData } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** The link that confirms the new address of an account. */
export function newAddressMail(data: NewAddressData, service: string, i18n: I18n): MailContent {
  const { minutes } = data;
  return layOut(
    i18n.language,
    i18n.t('Confirm your new e-mail address for {service}', { service }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username: data.username }) },
      { kind: 'text', text: i18n.t('You asked to use this e-mail address for your account.') },
      { kind: 'link', label: i18n.t('Use this address'), url: data.link },
      {
        kind: 'text',
        text: i18n.t('The link works once and expires after {minutes} minutes.', { minutes }),
      },
    ],
    i18n.t('If this was not you, ignore this e-mail; nothing else will happen.'),
  );
}
