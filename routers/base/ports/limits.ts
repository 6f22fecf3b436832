/** Rate-limited actions: points per window (in seconds) and subject. */
export const RATES = {
  /** Wrong passwords for one account from one address. */
  login: { points: 15, duration: 15 * 60 },
  /** Wrong passwords for any account from one address. */
  loginAddress: { points: 300, duration: 15 * 60 },
  /** Registrations from one address. */
  register: { points: 200, duration: 15 * 60 },
  /** Wrong codes for one account from one address, and requests for codes for one account. */
  code: { points: 30, duration: 15 * 60 },
  /** Wrong codes and links from one address; separate, so that many addresses cannot evict the counts of accounts. */
  codeAddress: { points: 30, duration: 15 * 60 },
  /** Wrong verification codes from one address, which several new users may share. */
  verifyAddress: { points: 100, duration: 15 * 60 },
  /**
   * Wrong codes for one account: of its second factor, from all addresses on which it has no session, and of its
   * verification. At most three of a million codes are valid at a time.
   */
  codeGuess: { points: 100, duration: 24 * 60 * 60 },
  /** Wrong passwords for one item from one address. */
  itemPassword: { points: 50, duration: 15 * 60 },
  /** Wrong passwords for any item from one address. */
  itemPasswordAddress: { points: 300, duration: 15 * 60 },
  /** Items that one account creates, and passwords it sets on them. */
  create: { points: 1_200, duration: 60 },
  /** Looks for the proof of hosts, and at the targets of links, that one account asks for. */
  domainCheck: { points: 120, duration: 60 * 60 },
  /** Pictures that pages without credentials have changed, from one network. */
  tool: { points: 30, duration: 60 * 60 },
  /** Reports from one network. */
  report: { points: 20, duration: 60 * 60 },
  /** Files that one network sends to request links. */
  guest: { points: 2_000, duration: 15 * 60 },
  /** Mails for one account requested from one address. */
  mail: { points: 10, duration: 60 * 60 },
  /** Verification mails that one address causes without an invite, or by asking again. */
  verifyMails: { points: 100, duration: 60 * 60 },
  /** Verification mails to one address, whoever causes them. */
  verifyMailsTo: { points: 10, duration: 60 * 60 },
  /** Inbound mails from one address without a valid signature; each counts until its signature is verified. */
  mailForged: { points: 100, duration: 15 * 60 },
  /** Inbound mails for one mailbox. */
  mailbox: { points: 600, duration: 60 * 60 },
  /** Mails that one address delivers by SMTP. */
  smtp: { points: 3_000, duration: 60 * 60 },
  /** Recipients that do not exist, named by one address: whoever looks for those that do. */
  smtpUnknown: { points: 300, duration: 60 * 60 },
  /** Mails with share links that one account sends. */
  linkMails: { points: 50, duration: 24 * 60 * 60 },
  /** Mails in which one account is told what was opened or came in; after these it is told once a day. */
  tellings: { points: 100, duration: 24 * 60 * 60 },
  /** Answers that one account sends from its mailboxes. */
  reply: { points: 50, duration: 24 * 60 * 60 },
  /** Challenges that one network says to have solved. */
  challenge: { points: 300, duration: 60 * 60 },
  /** Attempts to create a mailbox without an account, from one network. */
  guestTry: { points: 100, duration: 60 * 60 },
  /** Mailboxes created without an account from one network. */
  guestMailbox: { points: 3, duration: 60 * 60 },
  /** Test calls of one account's webhook. */
  webhookTest: { points: 20, duration: 10 * 60 },
} as const satisfies Readonly<Record<string, { readonly points: number; readonly duration: number }>>;

/** A rate-limited action. */
export type Limit = keyof typeof RATES;

/** Rate limits; `take` throws TOO_MANY_REQUESTS with the time to wait. */
export interface Limits {
  take(limit: Limit, subject: string, points?: number): Promise<void>;
  /** Resets the count, after a success. */
  clear(limit: Limit, subject: string): Promise<void>;
  /** Refunds one point, after a success that proves nothing about the other attempts. */
  refund(limit: Limit, subject: string): Promise<void>;
}
