/** The mails that accounts cause, as text: `server/mail/templates/` writes them. */

/** A mail without its recipient. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Writes mails. */
export interface Mails {
  /** Six digits and a link that prove an address. */
  verification(data: {
    readonly username: string;
    readonly code: string;
    readonly link: string;
    readonly minutes: number;
    readonly purpose: 'registration' | 'new address';
  }): MailContent;
  /** A link to set a new password. */
  passwordReset(data: {
    readonly username: string;
    readonly link: string;
    readonly minutes: number;
  }): MailContent;
}
