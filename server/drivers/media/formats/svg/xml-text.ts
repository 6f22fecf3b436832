const DECLARED = /^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;

/** Whether a character code is a control character that no text contains, so neither the end of a line nor a tab. */
export const isControl = (code: number): boolean =>
  code < 0x20 && !(code >= 0x09 && code <= 0x0d) && code !== 0x1b;

/**
 * The beginning of an XML file as text: in the encoding of its byte order mark or of its declaration, otherwise in
 * UTF-8. The last character may be truncated. Null if the bytes are not text in that encoding.
 */
export function xmlText(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes, { stream: true });
    for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) return null;
    return text;
  } catch {
    return null;
  }
}

function encodingOf(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 4);
  if (start.startsWith('\xff\xfe') || start === '<\0?\0' || start === '<\0s\0') return 'utf-16le';
  if (start.startsWith('\xfe\xff') || start === '\0<\0?' || start === '\0<\0s') return 'utf-16be';
  const declared = DECLARED.exec(bytes.toString('latin1', 0, 512))?.[1] ?? 'utf-8';
  // A declaration that can be read byte by byte is not in an encoding of two bytes, whatever it says.
  return /^utf-?16|^ucs-?[24]/i.test(declared) ? 'utf-8' : declared;
}
