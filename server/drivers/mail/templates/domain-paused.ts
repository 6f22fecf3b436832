import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { DomainPausedData, MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Tells a user that a host of theirs was paused. */
export function domainPausedMail({ username, host, link }: DomainPausedData, i18n: I18n): MailContent {
  return layOut(
    i18n.language,
    i18n.t('Your domain {host} is paused', { host }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username }) },
      {
        kind: 'text',
        text: i18n.t(
          'The proof that {host} is yours is no longer there, so your short links do not work there now. Nothing was deleted.',
          { host },
        ),
      },
      {
        kind: 'text',
        text: i18n.t('Put the proof back, then have it checked on the page of your domains.'),
      },
      { kind: 'link', label: i18n.t('Open your domains'), url: link },
    ],
    i18n.t('You are receiving this e-mail because the domain belongs to your account.'),
  );
}
