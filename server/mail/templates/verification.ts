import type { MailContent } from '../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

export interface VerificationData {
  readonly username: string;
  /** Six digits. */
  readonly code: string;
  readonly link: string;
  readonly minutes: number;
}

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
