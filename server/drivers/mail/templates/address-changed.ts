import type { Speech } from '../../../../routers/base/language/i18n.js';
import type { MailContent } from '../../../../routers/base/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells the old address of an account that it is no longer used. */
export function addressChangedMail(
  { username }: { readonly username: string },
  service: string,
  speech: Speech,
): MailContent {
  return layOut(
    speech.language,
    speech.t('The e-mail address of your {service} account was changed', { service }),
    [
      { kind: 'text', text: speech.t('Hello {username},', { username }) },
      {
        kind: 'text',
        text: speech.t(
          'Your account has a new e-mail address. This one no longer signs in, and gets no more e-mails.',
        ),
      },
    ],
    speech.t('If this was not you, tell an administrator at once: somebody knows your password.'),
  );
}
