const MIB = 1024 * 1024;

/** Maximum size of a request that delivers a mail: a message of 25 MB with attachments in base64. */
export const ARRIVAL_BYTES = 40 * MIB;
/** Capacity of one mailbox; a full one accepts no mail until messages are removed. */
export const MAILBOX_BYTES = 1024 * MIB;
export const MAILBOX_MESSAGES = 10_000;
/** Maximum number of mailboxes of an account that is not an administrator. */
export const MAILBOXES = 100;
/** Limits of one response with messages: their number, and the bytes after which no more are added. */
export const ANSWER_MESSAGES = 100;
export const ANSWER_BYTES = 32 * MIB;
/** Memory of a process for mails in responses and pushes, until the last client has received them. */
export const MEMORY_BYTES = 256 * MIB;
/** Maximum length of the text and of the HTML of a mail that is shown, in UTF-16 units. */
export const SHOWN_LENGTH = MIB;
/** Memory that reading one mail takes, as a multiple of its stored length: as stored, parsed, and as JSON or a page. */
export const READING_FACTOR = 5;
/** Memory that a mail takes, as a multiple of its size: raw, in base64 and as JSON, but not all at once. */
export const BUILDING_FACTOR = 2;
