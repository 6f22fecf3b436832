/** Names longer than this cannot be unpacked everywhere, in bytes; a number that tells two apart still fits. */
const NAME_BYTES = 240;
/** An ending that is longer tells no type. */
const EXTENSION = /.(\.[^. ]{1,15})$/u;

const FORBIDDEN = /[\p{Cc}<>:"|?*\\/]/gu;
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;

/** One name of a path as every system can unpack it, Windows included; it keeps its extension. */
function safeName(name: string): string {
  const plain = name.toWellFormed().replace(FORBIDDEN, '_');
  const extension = EXTENSION.exec(plain)?.[1] ?? '';
  const stem = cut(
    plain.slice(0, plain.length - extension.length),
    NAME_BYTES - Buffer.byteLength(extension),
  );
  // Windows drops dots and spaces at the end, so that another file could be meant.
  const whole = `${stem}${extension}`.replace(/[. ]$/, '_');
  return whole === '' || RESERVED.test(whole) ? `_${whole}` : whole;
}

/** The beginning of a text, at most so many bytes, without half a character at its end. */
const cut = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });

/**
 * Names paths for one archive: each part is made safe, and the file gets a number where another has its name.
 * The case of letters does not tell files apart.
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
