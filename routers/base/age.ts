/**
 * What can be said of an age file (age-encryption.org/v1) without a key: whether it is one. Nothing here encrypts or
 * decrypts; `age-encryption` does, in browsers and in the command.
 */

/** The type of sealed files. */
export const AGE = { type: 'age', mimeType: 'application/age' } as const;

/** Bytes at the beginning of a file in which its header has to end: some hundred recipients. */
export const MAX_HEADER_BYTES = 128 * 1024;

const VERSION = 'age-encryption.org/v1';
const NONCE_BYTES = 16;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024 + TAG_BYTES;

const BASE64 = /^[A-Za-z0-9+/]*$/;
const ARGUMENTS = /^-> [\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** The header of an age file: the types of its stanzas, such as `X25519` and `scrypt`, and its length in bytes. */
interface AgeHeader {
  readonly stanzas: readonly string[];
  readonly length: number;
}

/** The header at the beginning of these bytes; null if there is none, or one without a stanza. */
function ageHeader(bytes: Buffer): AgeHeader | null {
  let at = 0;
  const next = (): string | null => {
    const end = bytes.indexOf(10, at);
    if (end < 0) return null;
    const line = bytes.toString('latin1', at, end);
    at = end + 1;
    return line;
  };
  if (next() !== VERSION) return null;
  const stanzas: string[] = [];
  for (let line = next(); line !== null; line = next()) {
    if (/^--- [A-Za-z0-9+/]{43}$/.test(line)) return stanzas.length === 0 ? null : { stanzas, length: at };
    if (!ARGUMENTS.test(line)) return null;
    stanzas.push(line.split(' ')[1] ?? '');
    // The body ends with its first line that is not full.
    for (let isFull = true; isFull; ) {
      const body = next();
      if (body === null || body.length > 64 || !BASE64.test(body)) return null;
      isFull = body.length === 64;
    }
  }
  return null;
}

/** Whether so many bytes can be the whole content behind a header: a nonce and chunks, each with its tag. */
function isWholeContent(size: number): boolean {
  const content = size - NONCE_BYTES;
  const last = content % CHUNK_BYTES;
  return content === TAG_BYTES || (content > TAG_BYTES && (last === 0 || last > TAG_BYTES));
}

/** The types of the stanzas of an age file of `size` bytes by its beginning; null for anything else. */
export function stanzasOf(beginning: Buffer, size = beginning.length): readonly string[] | null {
  const header = ageHeader(beginning);
  return header !== null && isWholeContent(size - header.length) ? header.stanzas : null;
}

const BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----\n';
const END = '\n-----END AGE ENCRYPTED FILE-----';

/**
 * The types of the stanzas of an armored age file: nothing stands before it, and behind it at most a line end. Null for
 * anything else.
 */
export function stanzasInArmor(text: string): readonly string[] | null {
  const armor = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  if (!armor.startsWith(BEGIN) || !armor.endsWith(END) || armor.length < BEGIN.length + END.length)
    return null;
  const lines = armor.slice(BEGIN.length, -END.length).split('\n');
  const last = lines.pop() ?? '';
  if (lines.some((line) => line.length !== 64 || !BASE64.test(line))) return null;
  if (last.length > 64) return null;
  const bytes = base64Bytes([...lines, last].join(''));
  return bytes === null ? null : stanzasOf(bytes.subarray(0, MAX_HEADER_BYTES), bytes.length);
}

/** The bytes of a text in padded base64; null if it is none, or if another text would be the same bytes. */
export function base64Bytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** Whether a text has the form of a public key of age, X25519 (`age1…`). */
export const isRecipientForm = (text: string): boolean => /^age1[02-9ac-hj-np-z]{58}$/.test(text);
