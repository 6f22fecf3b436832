import { fail } from '../../../base/errors.js';
import { InboundRefused } from '../../../base/ports/mail/mail.js';

const CODES = { forged: 'MAIL_FORGED', stale: 'MAIL_STALE', malformed: 'INVALID' } as const;

/** Runs a reader of inbound mail; its refusals become 401, 406 or 400. */
export async function readingMail<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InboundRefused) fail(CODES[error.reason], { message: error.message, cause: error });
    throw error;
  }
}
