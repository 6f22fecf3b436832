import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { MailContent, PasswordResetData } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** The link for setting a new password. */
export function passwordResetMail(data: PasswordResetData, service: string, i18n: I18n): MailContent {
  const { minutes } = data;
  return layOut(
    i18n.language,
    i18n.t('Set a new password for {service}', { service }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username: data.username }) },
      { kind: 'text', text: i18n.t('Someone asked to set a new password for your account.') },
      { kind: 'link', label: i18n.t('Set a new password'), url: data.link },
      {
        kind: 'text',
        text: i18n.t(
          'The link works once and expires after {minutes} minutes. Changing the password ends all your sessions.',
          { minutes },
        ),
      },
    ],
    i18n.t('If this was not you, ignore this e-mail. Your password stays as it is.'),
  );
}
