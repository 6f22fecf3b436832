/** Rate-limited actions. */
export type Limit =
  | 'login'
  | 'loginAddress'
  | 'register'
  | 'code'
  | 'codeAddress'
  | 'verifyAddress'
  | 'codeGuess'
  | 'itemPassword'
  | 'itemPasswordAddress'
  | 'create'
  | 'tool'
  | 'report'
  | 'guest'
  | 'mail'
  | 'verifyMails'
  | 'verifyMailsTo'
  | 'mailForged'
  | 'mailbox'
  | 'smtp'
  | 'smtpUnknown'
  | 'reply'
  | 'challenge'
  | 'guestTry'
  | 'guestMailbox'
  | 'webhookTest';

/** Rate limits; `take` throws TOO_MANY_REQUESTS with the time to wait. */
export interface Limits {
  take(limit: Limit, subject: string, points?: number): Promise<void>;
  /** Resets the count, after a success. */
  clear(limit: Limit, subject: string): Promise<void>;
  /** Refunds one point, after a success that proves nothing about the other attempts. */
  refund(limit: Limit, subject: string): Promise<void>;
}
