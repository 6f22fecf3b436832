import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import {
  type InboundForm,
  InboundRefused,
  type MessageSource,
} from '../../../../routers/base/ports/mail/mail.js';
import { carriedBytes } from './carried-bytes.js';
import { looksLikeHead } from './mime.js';

/** The fields in which a whole message may be. */
export const MESSAGE_FIELDS = [
  'raw',
  'body-mime',
  'rawMessage',
  'rawEmail',
  'raw_email',
  'rawContent',
  'mime',
  'eml',
];

/**
 * The whole message in a form, byte for byte as it came; null if the form has none. Throws `InboundRefused` if what is
 * there is no message.
 */
export async function wholeMessageIn({ fields, parts }: InboundForm): Promise<Buffer | null> {
  const part = parts.find(({ field }) => MESSAGE_FIELDS.includes(field));
  if (part !== undefined) return sound(await bytesOf(part.source));
  const name = MESSAGE_FIELDS.find((field) => isGiven(fields[field]));
  if (name === undefined) return null;
  const value = fields[name];
  if (Buffer.isBuffer(value)) return sound(value);
  const encoding = fields.rawEncoding ?? fields.raw_encoding ?? fields.encoding;
  if (typeof value === 'string' && (encoding === undefined || encoding === null || encoding === ''))
    return sound(bytesOfText(value));
  return sound(carriedBytes(value, encoding, name));
}

/** The bytes of a message. */
export const bytesOf = async (source: MessageSource): Promise<Buffer> =>
  typeof source === 'string' ? readFile(source) : source;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function sound(message: Buffer): Buffer {
  if (looksLikeHead(message)) return message;
  throw new InboundRefused(
    'malformed',
    'The mail cannot be read: what should be a whole message begins with no header',
  );
}

/**
 * The bytes of a message that became text on its way. Each of its letters may stand for a byte, or a program may have
 * read the message as UTF-8.
 */
function bytesOfText(text: string): Buffer {
  const isBytes = /[\x80-\xff]/.test(text) && !/[^\0-\xff]/.test(text);
  if (!isBytes) return Buffer.from(text, 'utf8');
  const bytes = Buffer.from(text, 'latin1');
  const isRead = /charset\s*=\s*"?utf-?8/i.test(text) && !isUtf8(bytes);
  return isRead ? Buffer.from(text, 'utf8') : bytes;
}
