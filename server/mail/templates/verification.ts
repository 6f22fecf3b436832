import type { MailContent, VerificationData } from '../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** The code and the link that confirm an address. */
export function verificationMail(data: VerificationData): MailContent {
  return layOut(
    'Confirm your Holdall account',
    [
      { kind: 'text', text: `Hello ${data.username},` },
      {
        kind: 'text',
        text: 'enter this code to confirm your account:',
      },
      { kind: 'code', code: data.code },
      { kind: 'link', label: 'Or open this link', url: data.link },
      { kind: 'text', text: `Code and link work once, for ${data.minutes} minutes.` },
    ],
    'Somebody registered at Holdall with this address. If it was not you, ignore this mail: nothing happens.',
  );
}
