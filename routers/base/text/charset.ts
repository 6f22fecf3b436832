import { isUtf8 } from 'node:buffer';
import { type DosPage, decodeDos, isDosLetter } from './charset-dos.js';

/** The decoder of a charset that fails on bytes which are not text in it; null for a name that nobody knows. */
function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return null;
  }
}

/** Whether a charset has this name (WHATWG Encoding), for example `ISO-8859-1` or `shift_jis`. */
export const isCharset = (charset: string): boolean => decoderOf(charset) !== null;

// Some versions of Node decode windows-1252, and so ISO-8859-1, without these.
const WINDOWS_SIGNS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const C1 = /[\u0080-\u009f]/g;

/** The text of some bytes in a charset; null if the charset is unknown or the bytes are no text in it. */
export function decodeAs(bytes: Uint8Array, charset: string): string | null {
  const decoder = decoderOf(charset);
  try {
    const text = decoder?.decode(bytes) ?? null;
    return decoder?.encoding === 'windows-1252'
      ? (text?.replace(C1, (sign) => WINDOWS_SIGNS[sign.charCodeAt(0) - 0x80] ?? sign) ?? null)
      : text;
  } catch {
    return null;
  }
}

const isAsciiLetter = (byte = 0): boolean => (byte >= 0x41 && byte <= 0x5a) || isLower(byte);
const isLower = (byte = 0): boolean => byte >= 0x61 && byte <= 0x7a;
const within = (value: number, from: number, to: number): boolean => value >= from && value <= to;

/** How well the character of one or two bytes fits a charset: 1 is a common letter, below 0 is implausible. */
type Fit = (lead: number, trail: number) => number;

/** The mean fit of all characters that are not ASCII in a charset of double bytes. */
function doubleByteFit(fit: Fit, isSingle: (byte: number) => boolean = () => false) {
  return (bytes: Uint8Array): number => {
    let sum = 0;
    let count = 0;
    let end = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const lead = bytes[at] ?? 0;
      if (lead < 0x80) continue;
      count += 1;
      if (isSingle(lead)) {
        sum -= 0.5;
        continue;
      }
      const before = at === end ? 0 : bytes[at - 1];
      const initial = isAsciiLetter(before) && !isAsciiLetter(bytes[at - 2]);
      const value = fit(lead, bytes[at + 1] ?? 0);
      at += 1;
      end = at + 1;
      // Such a character inside a word of Latin letters is really one letter with an accent.
      sum += initial || isLower(before) || isLower(bytes[end]) ? Math.min(value, 0.2) : value;
    }
    return sum / count;
  };
}

/** Level 1 of each standard has the characters of everyday use. */
const shiftJis: Fit = (lead, trail) => {
  if (lead === 0x81) return 0.5;
  if (lead === 0x82) return trail >= 0x9f ? 1 : 0.5;
  if (lead === 0x83) return trail <= 0x96 ? 1 : -0.5;
  if (within(lead, 0x88, 0x97)) return 1;
  return within(lead, 0x98, 0x9f) || within(lead, 0xe0, 0xea) ? 0.2 : -1;
};
const gbk: Fit = (lead, trail) => {
  if (trail < 0xa1) return -1;
  if (within(lead, 0xb0, 0xd7)) return 1;
  if (within(lead, 0xa1, 0xa3)) return 0.5;
  return within(lead, 0xd8, 0xf7) ? 0.2 : -1;
};
const big5: Fit = (lead) => {
  if (within(lead, 0xa4, 0xc6)) return 0.99;
  if (within(lead, 0xa1, 0xa3)) return 0.5;
  return within(lead, 0xc9, 0xf9) ? 0.1 : -1;
};

/** Korean and Chinese share their bytes; these syllables are in nearly every Korean name. */
const COMMON_HANGUL = new Set(
  '가각간강개거건것게경계고공과관광교구국권그금기김나난날남내네년노녀는다단달당대데도동두드들등라락람래량러레로록료루류르를리린마만말매면명모목무문물미민바박반발방배백번법변별보복본부북분비사산상새색생서석선설성세소속손송수순술스습시식신실심아안암애야약양어언업에여역연열영예오온와완외요용우운울원월위유육은을음의이인일임입자작장재저적전점정제조족종좌주준중즈지직진집차착참창채책처천철청체초촌총최추축출치친카크키타터텍토통트특티파판팔편평포표품프하학한할함합해행향허험현형호혼화환활회획후휴',
);
const hangul = new TextDecoder('euc-kr');
const eucKr: Fit = (lead, trail) => {
  if (within(lead, 0xb0, 0xc8))
    return COMMON_HANGUL.has(hangul.decode(Uint8Array.of(lead, trail))) ? 1.3 : 0.5;
  return within(lead, 0xa1, 0xa3) ? 0.5 : -0.5;
};

/** The mean fit of a Cyrillic charset: words are lower case, or begin with a capital, or are all capitals. */
function cyrillicFit(isCapital: (byte: number) => boolean, isSmall: (byte: number) => boolean) {
  return (bytes: Uint8Array): number => {
    let sum = 0;
    let count = 0;
    for (const [at, byte] of bytes.entries()) {
      if (byte < 0x80) continue;
      count += 1;
      const before = bytes[at - 1] ?? 0;
      const after = bytes[at + 1] ?? 0;
      if (isAsciiLetter(before) || isAsciiLetter(after)) sum -= 1;
      else if (before < 0x80 && after < 0x80) sum += 0.2;
      else if (isSmall(byte)) sum += 1;
      else if (isCapital(byte)) sum += isSmall(before) ? -1 : 0.8;
      else sum -= 1;
    }
    return sum / count;
  };
}

/** The mean fit of a Latin charset: an accent stands among other letters, and hardly ever beside two more. */
function latinFit(isLetter: (byte: number) => boolean, isSign: (byte: number) => boolean = () => false) {
  return (bytes: Uint8Array): number => {
    let sum = 0;
    let count = 0;
    let run = 0;
    for (const [at, byte] of bytes.entries()) {
      run = byte < 0x80 ? 0 : run + 1;
      if (run === 0) continue;
      count += 1;
      if (run > 2) sum -= 1;
      else if (isLetter(byte))
        sum += isAsciiLetter(bytes[at - 1]) || isAsciiLetter(bytes[at + 1]) ? 0.9 : 0.3;
      else sum += isSign(byte) ? 0.3 : -1;
    }
    return sum / count;
  };
}

interface Candidate {
  readonly fit: (bytes: Uint8Array) => number;
  readonly decode: (bytes: Uint8Array) => string | null;
}

const named = (charset: string, fit: Candidate['fit']): Candidate => ({
  fit,
  decode: (bytes) => decodeAs(bytes, charset),
});

const dos = (page: DosPage): Candidate => ({
  fit: latinFit((byte) => isDosLetter(byte, page)),
  decode: (bytes) => decodeDos(bytes, page),
});
const DOS = dos('cp437');
const WINDOWS = named(
  'windows-1252',
  latinFit(
    (byte) =>
      (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) ||
      [0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f].includes(byte),
    (byte) => within(byte, 0x80, 0xbf),
  ),
);
const OTHERS: readonly Candidate[] = [
  dos('cp850'),
  named(
    'shift_jis',
    doubleByteFit(shiftJis, (byte) => within(byte, 0xa1, 0xdf)),
  ),
  named('gb18030', doubleByteFit(gbk)),
  named('big5', doubleByteFit(big5)),
  named('euc-kr', doubleByteFit(eucKr)),
  named(
    'ibm866',
    cyrillicFit(
      (byte) => within(byte, 0x80, 0x9f) || byte === 0xf0,
      (byte) => within(byte, 0xa0, 0xaf) || within(byte, 0xe0, 0xef) || byte === 0xf1,
    ),
  ),
  named(
    'windows-1251',
    cyrillicFit(
      (byte) => within(byte, 0xc0, 0xdf) || byte === 0xa8,
      (byte) => byte >= 0xe0 || byte === 0xb8,
    ),
  ),
];

/**
 * Decodes names whose charset was never said: UTF-8 if they are valid UTF-8, otherwise the code page in which all
 * samples together look most like words. `usual` is the page that a program of a western system would have used.
 */
export function guessDecoder(
  samples: readonly Uint8Array[],
  usual: 'dos' | 'windows',
): (name: Uint8Array) => string {
  const joined = Buffer.concat(
    samples.filter((name) => !isUtf8(name)).flatMap((name) => [name, Buffer.from('\n')]),
  );
  let best = usual === 'dos' ? DOS : WINDOWS;
  let score = joined.length === 0 ? Number.POSITIVE_INFINITY : best.fit(joined);
  for (const candidate of [DOS, WINDOWS, ...OTHERS]) {
    const fit = candidate.fit(joined);
    if (fit <= score || candidate.decode(joined) === null) continue;
    best = candidate;
    score = fit;
  }
  return (name) =>
    isUtf8(name) ? Buffer.from(name).toString('utf8') : (best.decode(name) ?? decodeDos(name, 'cp437'));
}
