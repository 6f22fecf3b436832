import type { MailContent } from '../../../../db/mail/mail-message.js';

const MAX_CODES = 5;
/** Texts longer than this are no mails with a code, or have it at their beginning. */
const MAX_LENGTH = 20_000;
/** Four to eight digits, perhaps in two groups, that are no part of a longer number, a price, an address or a date. */
const CODE = /(?<![\w.,:/#+@&=$€£-]|\d[ -])\d{3,4}(?:[ -]?\d{1,4})?(?![\w/@%€-]|[.,:]\d| [\d€])/g;
/** Four digits that are a year are hardly ever a code. */
const YEAR = /^(?:19|20)\d\d$/;
/** What a mail with a code says of it. */
const SPEAKS_OF_CODES =
  /\b(?:code|otp|pin|passcode|verif\w*|kod\w*|kód\w*|c[oó]d(?:igo|ice)|doğrulama|bestätigung\w*|code de|sicherheitscode)\b|(?:код|\u78BC|\u7801|\u30B3\u30FC\u30C9|\uC778\uC99D)/iu;

type Words = Pick<MailContent, 'subject' | 'text'>;

/**
 * The one-time codes in a mail, in the order in which they occur; none if it does not speak of a code. Its HTML counts
 * where the text has none, because many texts only say that there is HTML.
 */
export function codesIn({ subject, text }: Words, textOfHtml: string | null): string[] {
  const found = codesOf({ subject, text });
  return found.length > 0 || textOfHtml === null ? found : codesOf({ subject, text: textOfHtml });
}

function codesOf({ subject, text }: Words): string[] {
  const all = `${subject}\n${text.slice(0, MAX_LENGTH)}`;
  if (!SPEAKS_OF_CODES.test(all)) return [];
  const found = [...all.matchAll(CODE)].map(([code]) => code.replace(/[ -]/g, ''));
  const likely = found.filter((code) => code.length >= 4 && code.length <= 8 && !YEAR.test(code));
  return [...new Set(likely)].slice(0, MAX_CODES);
}
