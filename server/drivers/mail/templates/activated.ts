import type { Speech } from '../../../../routers/base/language/i18n.js';
import type { ActivatedData, MailContent } from '../../../../routers/base/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells somebody who registered that an administrator has activated the account. */
export function activatedMail(data: ActivatedData, service: string, speech: Speech): MailContent {
  return layOut(
    speech.language,
    speech.t('Your {service} account is active', { service }),
    [
      { kind: 'text', text: speech.t('Hello {username},', { username: data.username }) },
      { kind: 'text', text: speech.t('An administrator has activated your account. You can sign in now.') },
      { kind: 'link', label: speech.t('Sign in'), url: data.signInLink },
    ],
    speech.t('Someone registered at {service} with this address. If this was not you, ignore this e-mail.', {
      service,
    }),
  );
}
