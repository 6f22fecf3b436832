import type { MailContent } from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells the old address of an account that it is no longer used. */
export function addressChangedMail(
  { username }: { readonly username: string },
  service: string,
): MailContent {
  return layOut(
    `The e-mail address of your ${service} account was changed`,
    [
      { kind: 'text', text: `Hello ${username},` },
      {
        kind: 'text',
        text: 'Your account has a new e-mail address. This one no longer signs in, and gets no more e-mails.',
      },
    ],
    'If this was not you, tell an administrator at once: somebody knows your password.',
  );
}
