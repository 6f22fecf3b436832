import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { ActivatedData, MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Tells somebody who registered that an administrator has activated the account. */
export function activatedMail(data: ActivatedData, service: string, i18n: I18n): MailContent {
  return layOut(
    i18n.language,
    i18n.t('Your {service} account is active', { service }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username: data.username }) },
      { kind: 'text', text: i18n.t('An administrator has activated your account. You can sign in now.') },
      { kind: 'link', label: i18n.t('Sign in'), url: data.signInLink },
    ],
    i18n.t('Someone registered at {service} with this address. If this was not you, ignore this e-mail.', {
      service,
    }),
  );
}
