import type { MailContent, PasswordResetData } from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** The link for setting a new password. */
export function passwordResetMail(data: PasswordResetData, service: string): MailContent {
  return layOut(
    `Set a new password for ${service}`,
    [
      { kind: 'text', text: `Hello ${data.username},` },
      { kind: 'text', text: 'Someone asked to set a new password for your account.' },
      { kind: 'link', label: 'Set a new password', url: data.link },
      {
        kind: 'text',
        text: `The link works once and expires after ${data.minutes} minutes. Changing the password ends all your sessions.`,
      },
    ],
    'If this was not you, ignore this e-mail. Your password stays as it is.',
  );
}
