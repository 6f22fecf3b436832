import type { MailContent, VerificationData } from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** The code and the link that confirm an address. */
export function verificationMail(data: VerificationData, service: string): MailContent {
  return layOut(
    `Confirm your ${service} account`,
    [
      { kind: 'text', text: `Hello ${data.username},` },
      {
        kind: 'text',
        text: 'Enter this code to confirm your account:',
      },
      { kind: 'code', code: data.code },
      { kind: 'link', label: 'Or open this link', url: data.link },
      { kind: 'text', text: `The code and the link work once and expire after ${data.minutes} minutes.` },
    ],
    `Someone registered at ${service} with this address. If this was not you, ignore this e-mail; nothing else will happen.`,
  );
}
