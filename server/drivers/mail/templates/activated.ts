import type { ActivatedData, MailContent } from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells somebody who registered that an administrator has activated the account. */
export function activatedMail(data: ActivatedData, service: string): MailContent {
  return layOut(
    `Your ${service} account is active`,
    [
      { kind: 'text', text: `Hello ${data.username},` },
      { kind: 'text', text: 'An administrator has activated your account. You can sign in now.' },
      { kind: 'link', label: 'Sign in', url: data.signInLink },
    ],
    `Someone registered at ${service} with this address. If this was not you, ignore this e-mail.`,
  );
}
