import type { MailToken } from '../../../../db/mail/mail-token.js';

/** Signed mails that were refused for now, and may come again as they are. */
export interface RefusedMails {
  /**
   * Remembers one, by what stands for its token. Never fails: while the database is away this process remembers it, and
   * tells the database as soon as it is back, so that every process knows it.
   */
  note(refused: MailToken): Promise<void>;
  /** Whether this process remembers it. */
  has(refused: MailToken): boolean;
  /** Tells the database a last time, as far as it answers. */
  close(): Promise<void>;
}
