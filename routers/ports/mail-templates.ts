/** The mails that accounts cause, as text: `server/mail/templates/` writes them. */

/** A mail without its recipient. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What a mail with a code says. */
export interface VerificationData {
  readonly username: string;
  /** Six digits. */
  readonly code: string;
  readonly link: string;
  readonly minutes: number;
}

/** What a mail about a webhook that is off says. */
export interface WebhookDisabledData {
  readonly username: string;
  /** Host of the webhook; its path often is a secret. */
  readonly host: string;
  readonly failures: number;
  readonly lastError: string;
  readonly settingsLink: string;
}

/** What a mail about a linked chat account says. */
export interface ChatLinkedData {
  readonly username: string;
  /** The name of the chat account. */
  readonly chatName: string;
  readonly settingsLink: string;
}

/** What a mail for a new password says. */
export interface PasswordResetData {
  readonly username: string;
  readonly link: string;
  readonly minutes: number;
}

/** Writes mails. */
export interface Mails {
  /** Six digits and a link that prove an address. */
  verification(data: VerificationData): MailContent;
  /** That a webhook failed too often and was switched off. */
  webhookDisabled(data: WebhookDisabledData): MailContent;
  /** That a chat account was linked, which can sign in from now on. */
  chatLinked(data: ChatLinkedData): MailContent;
  /** A link to set a new password. */
  passwordReset(data: PasswordResetData): MailContent;
}
