import { layOut, type MailContent } from './layout.js';

export interface VerificationData {
  readonly username: string;
  /** Six digits. */
  readonly code: string;
  readonly link: string;
  readonly minutes: number;
  /** A new account, or a new address of an old one. */
  readonly purpose: 'registration' | 'new address';
}

/** The code and the link that confirm an address. */
export function verificationMail(data: VerificationData): MailContent {
  const fresh = data.purpose === 'registration';
  return layOut(
    fresh ? 'Confirm your Holdall account' : 'Confirm your new address for Holdall',
    [
      { kind: 'text', text: `Hello ${data.username},` },
      {
        kind: 'text',
        text: `enter this code to confirm ${fresh ? 'your account' : 'your new mail address'}:`,
      },
      { kind: 'code', code: data.code },
      { kind: 'link', label: 'Or open this link', url: data.link },
      { kind: 'text', text: `Code and link work once, for ${data.minutes} minutes.` },
    ],
    fresh
      ? 'Somebody registered at Holdall with this address. If it was not you, ignore this mail: nothing happens.'
      : 'Somebody wants to use this address for a Holdall account. If it was not you, ignore this mail: nothing happens.',
  );
}
