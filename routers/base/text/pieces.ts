const PIECE_LENGTH = 256 * 1024;

/**
 * Changes a long text piece by piece. A text in which something was replaced millions of times is kept by V8 as a chain
 * of all the parts between, which takes thirty times its size: here each piece becomes plain characters before the next
 * one is begun. `change` sees no CRLF and no pair of surrogates cut in two.
 */
export function inPieces(text: string, change: (piece: string) => string): string {
  if (text.length <= PIECE_LENGTH) return change(text);
  const encoding = /[^\0-\xff]/.test(text) ? 'utf16le' : 'latin1';
  const pieces: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + PIECE_LENGTH, text.length);
    if (/^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(end - 1, end + 1))) end += 1;
    pieces.push(Buffer.from(change(text.slice(at, end)), encoding));
    at = end;
  }
  return Buffer.concat(pieces).toString(encoding);
}
