import type { ChatLinkedData, MailContent } from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells users that a chat account can now sign in to their account. */
export function chatLinkedMail(data: ChatLinkedData, service: string): MailContent {
  return layOut(
    `A chat account was linked to your ${service} account`,
    [
      { kind: 'text', text: `Hello ${data.username},` },
      {
        kind: 'text',
        text: `The chat account ${data.chatName} was linked to your account. Anyone who uses it can sign in as you.`,
      },
      { kind: 'link', label: 'View linked accounts', url: data.settingsLink },
    ],
    'If this was not you, unlink it there, set a new password and replace your API key.',
  );
}
