/**
 * Charsets of old mail that neither the platform nor the library of charsets knows. They are escapes around, or other
 * orders of, charsets that are known. EUC-TW is not among them: it needs a table of its own, and no mail uses it.
 */

type Decode = (bytes: Buffer) => string;

const korean = new TextDecoder('euc-kr');
const chinese = new TextDecoder('gb18030');
const REPLACEMENT = '\ufffd';

/** The decoder of such a charset; null for others. */
export function oldDecoder(charset: string): Decode | null {
  const name = charset.toLowerCase().replace(/[^a-z0-9]/g, '');
  return DECODERS[name] ?? null;
}

/** UTF-16 in base64 between `+` and `-` (RFC 2152). */
const utf7: Decode = (bytes) =>
  bytes.toString('latin1').replace(/\+([A-Za-z0-9+/]*)-?/g, (_, encoded: string) => {
    if (encoded === '') return '+';
    const units = Buffer.from(encoded, 'base64');
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le')
      .toWellFormed();
  });

/** Letters of a double-byte set in 7 bits, between shift-out and shift-in (RFC 1557, RFC 1922). */
const shifted =
  (decoder: TextDecoder): Decode =>
  (bytes) => {
    const plain: number[] = [];
    let isOut = false;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === ESC) {
        // Which set is meant, `ESC $ ) C`, is known from the name.
        at += 3;
      } else if (byte === SHIFT_OUT || byte === SHIFT_IN) isOut = byte === SHIFT_OUT;
      else {
        // A line begins in ASCII.
        if (byte === LF) isOut = false;
        plain.push(isOut && byte > SPACE ? byte | 0x80 : byte);
      }
    }
    return decoder.decode(Buffer.from(plain));
  };

const [ESC, SHIFT_OUT, SHIFT_IN, LF, SPACE] = [0x1b, 0x0e, 0x0f, 0x0a, 0x20];

/** GB 2312 in 7 bits between `~{` and `~}` (RFC 1843). */
const hz: Decode = (bytes) => {
  const text = bytes
    .toString('latin1')
    .replace(/~(?:\{([^~\n]*)(?:~\}|\n|$)|(~)|\n)/g, (_, inside, tilde) => {
      if (inside === undefined) return tilde ?? '';
      return inside.replace(/[!-~]/g, (sign: string) => String.fromCharCode(sign.charCodeAt(0) | 0x80));
    });
  return chinese.decode(Buffer.from(text, 'latin1'));
};

const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const FINALS = 'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ';
/** Five bits of a vowel; those between are no letters. */
const VOWELS = [3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29];
const [FIRST_VOWEL, FIRST_SYLLABLE] = [0x314f, 0xac00];

/** KS X 1001, Annex 3: syllables as five bits for each of their letters, and other signs in another order. */
const johab: Decode = (bytes) => {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      pieces.push(lead === 0x5c ? '₩' : String.fromCharCode(lead));
      continue;
    }
    at += 1;
    const trail = bytes[at] ?? 0;
    pieces.push((lead < 0xd8 ? syllable((lead << 8) | trail) : sign(lead, trail)) ?? REPLACEMENT);
  }
  return pieces.join('');
};

function syllable(code: number): string | null {
  const [first, middle, last] = [(code >> 10) & 31, (code >> 5) & 31, code & 31];
  const initial = first - 2;
  const vowel = VOWELS.indexOf(middle);
  // 18 is no letter.
  const final = last < 18 ? last - 1 : last - 2;
  if (final < 0 || final > 27 || last === 18 || initial > 18) return null;
  if (initial >= 0 && vowel >= 0)
    return String.fromCharCode(FIRST_SYLLABLE + (initial * 21 + vowel) * 28 + final);
  if (initial >= 0 && final === 0) return INITIALS[initial] ?? null;
  if (vowel >= 0 && final === 0) return String.fromCharCode(FIRST_VOWEL + vowel);
  return FINALS[final - 1] ?? null;
}

function sign(lead: number, trail: number): string | null {
  const isSign = (lead >= 0xd9 && lead <= 0xde) || (lead >= 0xe0 && lead <= 0xf9);
  const column = trail < 0x91 ? trail - 0x31 : trail - 0x43;
  if (!isSign || column < 0 || (trail > 0x7e && trail < 0x91)) return null;
  const row = (lead < 0xe0 ? 2 * (lead - 0xd9) : 2 * lead - 0x197) + (column < 94 ? 0 : 1);
  return korean.decode(Uint8Array.of(0xa1 + row, 0xa1 + (column % 94)));
}

const DECODERS: Readonly<Record<string, Decode | undefined>> = {
  utf7,
  unicode11utf7: utf7,
  csunicode11utf7: utf7,
  xunicode20utf7: utf7,
  iso2022kr: shifted(korean),
  csiso2022kr: shifted(korean),
  iso2022cn: shifted(chinese),
  hzgb2312: hz,
  hz,
  johab,
  cp1361: johab,
  ms1361: johab,
};
