import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Tells the old address of an account that it is no longer used. */
export function addressChangedMail(
  { username }: { readonly username: string },
  service: string,
  i18n: I18n,
): MailContent {
  return layOut(
    i18n.language,
    i18n.t('The e-mail address of your {service} account was changed', { service }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username }) },
      {
        kind: 'text',
        text: i18n.t(
          'Your account has a new e-mail address. This one no longer signs in, and gets no more e-mails.',
        ),
      },
    ],
    i18n.t('If this was not you, tell an administrator at once: somebody knows your password.'),
  );
}
