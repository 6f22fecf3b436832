const PADDING_BYTES = 1024;
const [TAB, LF, CR, SPACE, DASH] = [0x09, 0x0a, 0x0d, 0x20, 0x2d];

/** A line with the boundary of a form, from the line break in front of it to its own. */
export interface Delimiter {
  readonly start: number;
  readonly end: number;
  readonly last: boolean;
}

/**
 * The next delimiter in the bytes of a form that have arrived, beginning where it `fits`, or how many bytes are
 * certainly not part of one. `needle` is the boundary with what must be in front of it.
 */
export function nextDelimiter(
  bytes: Buffer,
  needle: Buffer,
  fits: (at: number) => boolean = () => true,
): Delimiter | number {
  for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + 1)) {
    if (!fits(at)) continue;
    const after = at + needle.length;
    if (bytes[after] === DASH && bytes[after + 1] === DASH) return { start: at, end: after + 2, last: true };
    let end = after;
    while (bytes[end] === SPACE || bytes[end] === TAB) end += 1;
    if (bytes[end] === LF) return { start: at, end: end + 1, last: false };
    if (bytes[end] === CR && bytes[end + 1] === LF) return { start: at, end: end + 2, last: false };
    const isCut =
      end >= bytes.length || (end === bytes.length - 1 && (bytes[end] === CR || bytes[end] === DASH));
    if (isCut && end - after <= PADDING_BYTES) return at;
  }
  return certain(bytes, needle);
}

/** How many bytes cannot belong to a delimiter, whatever arrives next. */
function certain(bytes: Buffer, needle: Buffer): number {
  const from = Math.max(0, bytes.length - needle.length + 1);
  for (let at = bytes.indexOf(needle[0] ?? 0, from); at >= 0; at = bytes.indexOf(needle[0] ?? 0, at + 1))
    if (needle.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return at;
  return bytes.length;
}
