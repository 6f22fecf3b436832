/** Mails about accounts. The texts are in `server/drivers/mail/templates/`. */
import type { Kind } from '../../kinds.js';
import type { Localizable } from '../../language/localizable.js';

/** A mail without its recipient. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A change of the ways into an account. */
export interface AccessChange {
  readonly what:
    | 'keyCreated'
    | 'keyChanged'
    | 'keyDeleted'
    | 'mainKeyReplaced'
    | 'mainKeyOff'
    | 'passkeyAdded'
    | 'passkeyRenamed'
    | 'passkeyRemoved'
    | 'identityLinked'
    | 'identityUnlinked'
    | 'chatUnlinked'
    | 'messengerLinked'
    | 'messengerUnlinked'
    | 'secondFactorOn'
    | 'secondFactorOff'
    | 'recoveryCodesRenewed'
    | 'sessionsEnded'
    | 'everythingEnded'
    | 'passwordChanged'
    | 'passwordSet'
    | 'signInLinkMade';
  /** What the key, passkey, provider or account of another service is called. */
  readonly name?: string;
}

/** What was opened, or what something came in by: nothing of it that is not open to everybody. */
export interface ToldItem {
  readonly kind: Kind | 'collection' | 'request';
  readonly name: string;
  readonly times: number;
  /** It was deleted when it was opened. */
  readonly isGone: boolean;
}

/** Why a webhook was switched off. */
export interface WebhookFailure {
  readonly failures: number;
  /** To be told in the language of the mail. */
  readonly lastError: string | Localizable;
}

/** Whom a mail greets, and where its button leads. */
interface Greeted {
  readonly username: string;
  readonly link: string;
}

/** A link that works once. */
interface Expiring extends Greeted {
  readonly minutes: number;
}

/** With a link that ends these mails. */
interface Stoppable extends Greeted {
  readonly stopLink: string;
}

/** Whom a mail greets, and where it can be undone. */
interface OfSettings {
  readonly username: string;
  readonly settingsLink: string;
}

/** Renders mails in one language. */
export interface Mails {
  /** Six digits and a link to verify an address. */
  verification(data: Expiring & { readonly code: string }): MailContent;
  /** Says that an administrator has activated the account. */
  activated(data: { readonly username: string; readonly signInLink: string }): MailContent;
  /** Says to an administrator that somebody waits to be let in. */
  accountWaiting(data: Greeted & { readonly newcomer: string; readonly address: string }): MailContent;
  /** Says to somebody who registered that they get no account. */
  accountRefused(data: { readonly username: string }): MailContent;
  /** Says that a webhook failed too often and was switched off. Its host is told; its path is often secret. */
  webhookDisabled(data: OfSettings & WebhookFailure & { readonly host: string }): MailContent;
  /** Says that a chat account was linked and can be used to sign in. */
  chatLinked(data: OfSettings & { readonly chatName: string }): MailContent;
  /** A link that makes an address the one of an account. */
  newAddress(data: Expiring): MailContent;
  /** Says to the old address that the account has another one now. */
  addressChanged(data: { readonly username: string }): MailContent;
  /** Says that a way into the account was added or removed. */
  accessChanged(data: OfSettings & { readonly change: AccessChange }): MailContent;
  /** Asks whether the mail of a mailbox of `username` may be forwarded there. */
  forwardRequest(data: Greeted & { readonly mailbox: string; readonly hours: number }): MailContent;
  /** Says what others sent by a request link: its title, and the names of the first files. */
  filesReceived(
    data: Stoppable & { readonly title: string; readonly names: readonly string[]; readonly total: number },
  ): MailContent;
  /** Says that something was opened. */
  opened(data: Stoppable & ToldItem): MailContent;
  /** Says what was opened, and came in, on a day, and how many more there are. */
  openedDaily(data: Stoppable & { readonly items: readonly ToldItem[]; readonly more: number }): MailContent;
  /** Says which links lead nowhere, with some of their targets. */
  linksBroken(data: Greeted & { readonly total: number; readonly targets: readonly string[] }): MailContent;
  /** Says that the proof of a host is no longer there. */
  domainPaused(data: Greeted & { readonly host: string }): MailContent;
  /** Says that a collection of `owner` is shared, or offered to become that of its receiver. */
  collectionShared(data: Greeted & { readonly owner: string; readonly isOffer: boolean }): MailContent;
  /** A share link that `username` sends, with what they say; null for nothing. */
  linkShared(data: Greeted & { readonly message: string | null }): MailContent;
  /** A link to set a new password. */
  passwordReset(data: Expiring): MailContent;
}
