import type { MailContent, PasswordResetData } from '../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** The link that lets somebody set a new password. */
export function passwordResetMail(data: PasswordResetData): MailContent {
  return layOut(
    'Set a new password for Holdall',
    [
      { kind: 'text', text: `Hello ${data.username},` },
      { kind: 'text', text: 'somebody asked to set a new password for your account.' },
      { kind: 'link', label: 'Set a new password', url: data.link },
      {
        kind: 'text',
        text: `The link works once, for ${data.minutes} minutes. All sessions end with the change.`,
      },
    ],
    'If it was not you, ignore this mail: your password stays as it is.',
  );
}
