import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { LinkSharedData, MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Brings somebody a share link; says nothing about what it opens. */
export function linkSharedMail({ username, message, link }: LinkSharedData, i18n: I18n): MailContent {
  return layOut(
    i18n.language,
    i18n.t('{username} shares something with you', { username }),
    [
      { kind: 'text', text: i18n.t('{username} sends you a link:', { username }) },
      ...(message === null ? [] : [{ kind: 'text' as const, text: message }]),
      { kind: 'link', label: i18n.t('Open the link'), url: link },
    ],
    i18n.t('You are receiving this e-mail because somebody with an account here has entered your address.'),
  );
}
