import { isControl, xmlText } from './svg/xml-text.js';

const PDF = /^%PDF-\d\.\d\s/;

/**
 * Whether bytes are the beginning of a text: valid UTF-8 (the last character may be truncated) without control
 * characters. A PDF may look like one.
 */
export const isText = (head: Buffer): boolean =>
  head.length > 0 && !PDF.test(head.toString('latin1', 0, 9)) && !head.some(isControl) && isUtf8Start(head);

function isUtf8Start(head: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const MARKUP = /<(?:!doctype|html|head|body|script|iframe|\?php)\b/i;

/**
 * Whether bytes of no known format are something to read, and so no media: text in another encoding, or a page or
 * script behind a fake signature.
 */
export function isReadable(head: Buffer): boolean {
  if (head.length === 0) return false;
  const start = head.toString('latin1', 0, 2);
  if (start === '\xff\xfe' || start === '\xfe\xff') return xmlText(head) !== null;
  return (
    !head.some((byte) => isControl(byte) || byte === 0x7f) || MARKUP.test(head.toString('latin1', 0, 4096))
  );
}
