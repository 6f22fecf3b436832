/** Longer names, in bytes, cannot be unpacked everywhere; there is still room for a number that makes a name unique. */
const NAME_BYTES = 240;
/** A longer ending is not a file type. */
const EXTENSION = /.(\.[^. ]{1,15})$/u;

const FORBIDDEN = /[\p{Cc}<>:"|?*\\/]/gu;
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;

/** One path segment in a form that every system can unpack, including Windows; keeps its extension. */
function safeName(name: string): string {
  const plain = name.toWellFormed().replace(FORBIDDEN, '_');
  const extension = EXTENSION.exec(plain)?.[1] ?? '';
  const stem = cut(
    plain.slice(0, plain.length - extension.length),
    NAME_BYTES - Buffer.byteLength(extension),
  );
  // Windows drops trailing dots and spaces, so the name could collide with another file.
  const whole = `${stem}${extension}`.replace(/[. ]$/, '_');
  return whole === '' || RESERVED.test(whole) ? `_${whole}` : whole;
}

/** The beginning of a text, at most this many bytes, without splitting a character. */
const cut = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });

/**
 * Assigns archive paths: each segment is made safe, and the file gets a number if its name is already taken.
 * Names that differ only in case count as equal.
 */
export function createZipNames(): (path: string) => string {
  const taken = new Map<string, number>();
  return (path) => {
    const safe = path.split('/').map(safeName).join('/');
    const extension = EXTENSION.exec(safe)?.[1] ?? '';
    const stem = safe.slice(0, safe.length - extension.length);
    for (let number = taken.get(safe.toLowerCase()) ?? 1; ; number += 1) {
      const candidate = number === 1 ? safe : `${stem} (${number})${extension}`;
      if (taken.has(candidate.toLowerCase())) continue;
      taken.set(candidate.toLowerCase(), 2);
      taken.set(safe.toLowerCase(), number + 1);
      return candidate;
    }
  };
}
