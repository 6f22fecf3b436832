/** Mails about accounts. The texts are in `server/drivers/mail/templates/`. */

/** A mail without its recipient. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The data of a verification mail. */
export interface VerificationData {
  readonly username: string;
  /** Six digits. */
  readonly code: string;
  readonly link: string;
  readonly minutes: number;
}

/** The data of a mail about a disabled webhook. */
export interface WebhookDisabledData {
  readonly username: string;
  /** Host of the webhook; its path is often secret. */
  readonly host: string;
  readonly failures: number;
  readonly lastError: string;
  readonly settingsLink: string;
}

/** The data of a mail about a linked chat account. */
export interface ChatLinkedData {
  readonly username: string;
  /** The name of the chat account. */
  readonly chatName: string;
  readonly settingsLink: string;
}

/** The data of a password reset mail. */
export interface PasswordResetData {
  readonly username: string;
  readonly link: string;
  readonly minutes: number;
}

/** Renders mails. */
export interface Mails {
  /** Six digits and a link to verify an address. */
  verification(data: VerificationData): MailContent;
  /** Says that a webhook failed too often and was switched off. */
  webhookDisabled(data: WebhookDisabledData): MailContent;
  /** Says that a chat account was linked and can be used to sign in. */
  chatLinked(data: ChatLinkedData): MailContent;
  /** A link to set a new password. */
  passwordReset(data: PasswordResetData): MailContent;
}
