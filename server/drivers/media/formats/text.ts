import type { Format } from './format.js';
import { SVG, svgRoot } from './svg/read.js';
import { isControl, xmlText } from './svg/xml-text.js';

export const TEXT: Format = { mimeType: 'text/plain', extension: 'txt', kind: 'other' };

/** Text is valid UTF-8 (the last character may be truncated) without control characters; an SVG in any encoding. */
export function textFormat(head: Buffer): Format | null {
  if (head.length === 0) return null;
  const drawing = xmlText(head);
  if (drawing !== null && svgRoot(drawing) !== null) return SVG;
  return !head.some(isControl) && isUtf8Start(head) ? TEXT : null;
}

/** Whether bytes can be the beginning of UTF-8: the last character may be cut. */
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
