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
  }): MailContent;
  /** That a webhook failed too often and was switched off. */
  webhookDisabled(data: {
    readonly username: string;
    /** Host of the webhook; its path often is a secret. */
    readonly host: string;
    readonly failures: number;
    readonly lastError: string;
    readonly settingsLink: string;
  }): MailContent;
  /** That a chat account was linked, which can sign in from now on. */
  chatLinked(data: {
    readonly username: string;
    /** The name of the chat account. */
    readonly chatName: string;
    readonly settingsLink: string;
  }): MailContent;
  /** A link to set a new password. */
  passwordReset(data: {
    readonly username: string;
    readonly link: string;
    readonly minutes: number;
  }): MailContent;
}
