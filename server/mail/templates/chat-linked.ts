import type { ChatLinkedData, MailContent } from '../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells somebody that a chat account can sign in as them from now on. */
export function chatLinkedMail(data: ChatLinkedData): MailContent {
  return layOut(
    'A chat account was linked to your Holdall account',
    [
      { kind: 'text', text: `Hello ${data.username},` },
      {
        kind: 'text',
        text: `the chat account ${data.chatName} was linked to your account. Whoever uses it can sign in as you.`,
      },
      { kind: 'link', label: 'Look at the linked accounts', url: data.settingsLink },
    ],
    'If it was not you, unlink it there, set a new password and replace the API key.',
  );
}
