import { layOut, type MailContent } from './layout.js';

export interface InvitationData {
  readonly invitedBy: string;
  readonly code: string;
  readonly link: string;
  /** Epoch milliseconds; null = no end. */
  readonly expiresAt: number | null;
}

/** An invite code and the page to use it on. */
export function invitationMail(data: InvitationData): MailContent {
  const end = data.expiresAt === null ? null : new Date(data.expiresAt).toISOString().slice(0, 10);
  return layOut(
    `${data.invitedBy} invites you to Holdall`,
    [
      { kind: 'text', text: `${data.invitedBy} invites you to share images, texts and links on Holdall.` },
      { kind: 'link', label: 'Create your account', url: data.link },
      { kind: 'text', text: 'The page asks for this invite code:' },
      { kind: 'code', code: data.code },
      { kind: 'text', text: end === null ? 'The code works once.' : `The code works once, until ${end}.` },
    ],
    'If you do not know who this is, ignore this mail: no account exists for you.',
  );
}
