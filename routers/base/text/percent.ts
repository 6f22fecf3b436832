const PERCENT = 0x25;

const digit = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** The bytes of a percent-encoded Latin-1 text; a `%` that encodes nothing stays. */
export function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? digit(bytes[at + 1] ?? 0) : -1;
    const low = high < 0 ? -1 : digit(bytes[at + 2] ?? 0);
    bytes[length] = low < 0 ? byte : high * 16 + low;
    length += 1;
    if (low >= 0) at += 2;
  }
  return bytes.subarray(0, length);
}
