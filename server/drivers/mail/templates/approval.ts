import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { AccountWaitingData, MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Tells an administrator that somebody who registered waits to be let in. */
export function accountWaitingMail(
  { username, newcomer, address, link }: AccountWaitingData,
  service: string,
  i18n: I18n,
): MailContent {
  return layOut(
    i18n.language,
    i18n.t('{newcomer} would like an account at {service}', { newcomer, service }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username }) },
      {
        kind: 'text',
        text: i18n.t('{newcomer} ({address}) has registered and waits for your decision.', {
          newcomer,
          address,
        }),
      },
      { kind: 'link', label: i18n.t('Decide'), url: link },
    ],
    i18n.t('You are receiving this e-mail because you administer {service}.', { service }),
  );
}

/** Tells somebody who registered that they get no account. */
export function accountRefusedMail(
  { username }: { readonly username: string },
  service: string,
  i18n: I18n,
): MailContent {
  return layOut(
    i18n.language,
    i18n.t('Your registration at {service}', { service }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username }) },
      {
        kind: 'text',
        text: i18n.t('An administrator has declined your registration. What you entered has been deleted.'),
      },
    ],
    i18n.t('Someone registered at {service} with this address. If this was not you, ignore this e-mail.', {
      service,
    }),
  );
}
