import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { ChatLinkedData, MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Tells users that a chat account can now sign in to their account. */
export function chatLinkedMail(data: ChatLinkedData, service: string, i18n: I18n): MailContent {
  return layOut(
    i18n.language,
    i18n.t('A chat account was linked to your {service} account', { service }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username: data.username }) },
      {
        kind: 'text',
        text: i18n.t(
          'The chat account {name} was linked to your account. Anyone who uses it can sign in as you.',
          { name: data.chatName },
        ),
      },
      { kind: 'link', label: i18n.t('View linked accounts'), url: data.settingsLink },
    ],
    i18n.t('If this was not you, unlink it there, set a new password and replace your API key.'),
  );
}
