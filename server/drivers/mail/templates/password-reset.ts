import type { Speech } from '../../../../routers/base/language/i18n.js';
import type { MailContent, PasswordResetData } from '../../../../routers/base/ports/mail-templates.js';
import { layOut } from './layout.js';

/** The link for setting a new password. */
export function passwordResetMail(data: PasswordResetData, service: string, speech: Speech): MailContent {
  const { minutes } = data;
  return layOut(
    speech.language,
    speech.t('Set a new password for {service}', { service }),
    [
      { kind: 'text', text: speech.t('Hello {username},', { username: data.username }) },
      { kind: 'text', text: speech.t('Someone asked to set a new password for your account.') },
      { kind: 'link', label: speech.t('Set a new password'), url: data.link },
      {
        kind: 'text',
        text: speech.t(
          'The link works once and expires after {minutes} minutes. Changing the password ends all your sessions.',
          { minutes },
        ),
      },
    ],
    speech.t('If this was not you, ignore this e-mail. Your password stays as it is.'),
  );
}
