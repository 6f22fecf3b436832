const MIB = 1024 * 1024;

/** Maximum size of a request that delivers a mail: a message of 25 MB with attachments in base64. */
export const ARRIVAL_BYTES = 40 * MIB;
/** Maximum size of the message that is kept as it came, or written of what came in fields. */
export const ORIGINAL_BYTES = 2 * ARRIVAL_BYTES;
/** Maximum length of a text made of HTML, in UTF-16 units. */
export const WORDS_LENGTH = 4 * MIB;
/** Capacity of one mailbox; a full one accepts no mail until messages are removed. */
export const MAILBOX_BYTES = 1024 * MIB;
const MAILBOX_MESSAGES = 10_000;
/** Capacity of the mailbox of somebody without an account. */
export const GUEST_MAILBOX_BYTES = 64 * MIB;
const GUEST_MAILBOX_MESSAGES = 1_000;
/** Whether a mailbox with this in it has no room for a message of some bytes. */
export function isFull(
  { guest }: { readonly guest: boolean },
  usage: { readonly messages: number; readonly bytes: number },
  size: number,
): boolean {
  const messages = guest ? GUEST_MAILBOX_MESSAGES : MAILBOX_MESSAGES;
  const bytes = guest ? GUEST_MAILBOX_BYTES : MAILBOX_BYTES;
  // A mailbox without a free byte has no room for anything.
  return usage.messages >= messages || usage.bytes + Math.max(1, size) > bytes;
}

/** Maximum number of open mailboxes of people without an account, all together. */
export const GUEST_MAILBOXES = 10_000;
/** Maximum number of mailboxes of an account that is not an administrator. */
export const MAILBOXES = 100;
/** Limits of one response with messages: their number, and the bytes after which no more are added. */
export const ANSWER_MESSAGES = 100;
export const ANSWER_BYTES = 32 * MIB;
/** Memory of a process for mails in responses and pushes, until the last client has received them. */
export const MEMORY_BYTES = 256 * MIB;
/** Attachments that a forwarded mail carries; larger ones stay in the mailbox. */
export const FORWARDED_BYTES = 20 * MIB;
/** Maximum length of the text and of the HTML of a mail that is shown, in UTF-16 units. */
export const SHOWN_LENGTH = MIB;
/** Memory that reading one mail takes, as a multiple of its stored size: as stored, parsed, and as JSON or a page. */
export const READING_FACTOR = 5;
/** Memory that a mail takes, as a multiple of its size: raw, in base64 and as JSON, but not all at once. */
export const BUILDING_FACTOR = 2;
