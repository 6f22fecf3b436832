/** Mails about accounts. The texts are in `server/drivers/mail/templates/`. */
import type { Kind } from '../../kinds.js';
import type { Localizable } from '../../language/localizable.js';

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

/** The data of a mail about an account that an administrator has activated. */
export interface ActivatedData {
  readonly username: string;
  readonly signInLink: string;
}

/** The data of a mail about a disabled webhook. */
export interface WebhookDisabledData {
  readonly username: string;
  /** Host of the webhook; its path is often secret. */
  readonly host: string;
  readonly failures: number;
  /** Why it failed, to be told in the language of the mail. */
  readonly lastError: string | Localizable;
  readonly settingsLink: string;
}

/** The data of a mail about a linked chat account. */
export interface ChatLinkedData {
  readonly username: string;
  /** The name of the chat account. */
  readonly chatName: string;
  readonly settingsLink: string;
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

/** The data of a mail about such a change. */
export interface AccessChangedData {
  readonly username: string;
  readonly change: AccessChange;
  readonly settingsLink: string;
}

/** The data of a mail that asks whether mail may be forwarded to its recipient. */
export interface ForwardRequestData {
  readonly username: string;
  readonly mailbox: string;
  readonly link: string;
  readonly hours: number;
}

/** The data of a password reset mail. */
export interface PasswordResetData {
  readonly username: string;
  readonly link: string;
  readonly minutes: number;
}

/** The data of a mail to the new address of an account. */
export interface NewAddressData {
  readonly username: string;
  readonly link: string;
  readonly minutes: number;
}

/** The data of a mail about files that came in by a request link. */
export interface FilesReceivedData {
  readonly username: string;
  /** The title of the request. */
  readonly title: string;
  /** The names of the first files. */
  readonly names: readonly string[];
  readonly total: number;
  readonly link: string;
  /** Ends these mails. */
  readonly stopLink: string;
}

/** What was opened, or what something came in by: nothing of it that is not open to everybody. */
export interface ToldItem {
  readonly kind: Kind | 'collection' | 'request';
  readonly name: string;
  readonly times: number;
  /** It was deleted when it was opened. */
  readonly isGone: boolean;
}

/** The data of a mail about something that was opened. */
export interface OpenedData extends ToldItem {
  readonly username: string;
  readonly link: string;
  /** Ends these mails. */
  readonly stopLink: string;
}

/** The data of a mail about all that was opened, or came in, on a day. */
export interface OpenedDailyData {
  readonly username: string;
  readonly items: readonly ToldItem[];
  /** How many more there are. */
  readonly more: number;
  readonly link: string;
  readonly stopLink: string;
}

/** The data of a mail about somebody who waits to be let in. */
export interface AccountWaitingData {
  /** The administrator who reads it. */
  readonly username: string;
  readonly newcomer: string;
  readonly address: string;
  readonly link: string;
}

/** The data of a mail about links that lead nowhere. */
export interface LinksBrokenData {
  readonly username: string;
  readonly total: number;
  /** Some of their targets. */
  readonly targets: readonly string[];
  readonly link: string;
}

/** The data of a mail about a host that was paused. */
export interface DomainPausedData {
  readonly username: string;
  readonly host: string;
  readonly link: string;
}

/** The data of a mail with a share link: nothing of what it opens. */
export interface LinkSharedData {
  /** Who shares it. */
  readonly username: string;
  /** What they say; null for nothing. */
  readonly message: string | null;
  readonly link: string;
}

/** The data of a mail about a collection of somebody else: nothing of what is in it. */
export interface CollectionSharedData {
  readonly username: string;
  /** Whose it is. */
  readonly owner: string;
  /** Whether it is to become that of its receiver, who only looks at it or works on it otherwise. */
  readonly isOffer: boolean;
  readonly link: string;
}

/** Renders mails in one language. */
export interface Mails {
  /** Six digits and a link to verify an address. */
  verification(data: VerificationData): MailContent;
  /** Says that an administrator has activated the account. */
  activated(data: ActivatedData): MailContent;
  /** Says to an administrator that somebody waits to be let in. */
  accountWaiting(data: AccountWaitingData): MailContent;
  /** Says to somebody who registered that they get no account. */
  accountRefused(data: { readonly username: string }): MailContent;
  /** Says that a webhook failed too often and was switched off. */
  webhookDisabled(data: WebhookDisabledData): MailContent;
  /** Says that a chat account was linked and can be used to sign in. */
  chatLinked(data: ChatLinkedData): MailContent;
  /** A link that makes an address the one of an account. */
  newAddress(data: NewAddressData): MailContent;
  /** Says to the old address that the account has another one now. */
  addressChanged(data: { readonly username: string }): MailContent;
  /** Says that a way into the account was added or removed. */
  accessChanged(data: AccessChangedData): MailContent;
  /** Asks whether the mail of a mailbox may be forwarded there. */
  forwardRequest(data: ForwardRequestData): MailContent;
  /** Says what others sent by a request link. */
  filesReceived(data: FilesReceivedData): MailContent;
  /** Says that something was opened. */
  opened(data: OpenedData): MailContent;
  /** Says what was opened, and came in, on a day. */
  openedDaily(data: OpenedDailyData): MailContent;
  /** Says which links lead nowhere. */
  linksBroken(data: LinksBrokenData): MailContent;
  /** Says that the proof of a host is no longer there. */
  domainPaused(data: DomainPausedData): MailContent;
  /** Says that a collection is shared or offered. */
  collectionShared(data: CollectionSharedData): MailContent;
  /** A share link that somebody sends. */
  linkShared(data: LinkSharedData): MailContent;
  /** A link to set a new password. */
  passwordReset(data: PasswordResetData): MailContent;
}
