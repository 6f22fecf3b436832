const MIB = 1024 * 1024;

/** A request that brings a mail: a message of 25 MB, its attachments in base64. */
export const ARRIVAL_BYTES = 40 * MIB;
/** One attachment. */
export const ATTACHMENT_BYTES = 32 * MIB;
/** What one mailbox holds; a full one takes no mail until something is removed. */
export const MAILBOX_BYTES = 1024 * MIB;
export const MAILBOX_MESSAGES = 10_000;
/** Mailboxes of one account that is no administrator's. */
export const MAILBOXES = 100;
/** One answer with messages: so many, and as soon as they hold so many bytes no more. */
export const ANSWER_MESSAGES = 100;
export const ANSWER_BYTES = 32 * MIB;
