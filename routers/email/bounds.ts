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
/** Mails in answers and pushes of a process, from being built until the last client has taken them. */
export const MEMORY_BYTES = 256 * MIB;
/** What a mail takes of that, by its size: as it is read, in base64 and as JSON, not all at once. */
export const BUILDING_FACTOR = 2;
