import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { fail } from '../../routers/base/errors.js';
import { guessDecoder } from '../../routers/base/text/charset.js';
import { type Delimiter, nextDelimiter } from './delimiter.js';
import { NAME_FIELDS } from './encoded.js';
import { type PartHead, readPartHead, writePartHead } from './part-head.js';
import { textIn } from './text.js';

/** How the parts of a form are read. */
export interface FormReading {
  /** A longer value of a field is passed on without being decoded: the parser refuses it. */
  readonly fieldBytes: number;
  /** A text that is not UTF-8 and whose charset nobody names: an item's text is refused, a caption is guessed. */
  readonly unnamed: 'refuse' | 'guess';
  /** Whether a file is text as well, so that its charset counts. */
  readonly textFiles: boolean;
  /** Names of parts that are files whatever their headers say. */
  readonly files?: RegExp;
}

/** The name of a file that was sent without one; the parser ignores such files. No real name is a noncharacter. */
const NAMELESS = '\u{10ffff}';

/** The name that a client gave a file; null without one. */
export const givenName = (name: string): string | null => (name === NAMELESS ? null : name);

const HEAD_BYTES = 16 * 1024;
const [LF, CR] = [0x0a, 0x0d];

/** Types that scripts and generated clients give to the values of plain fields. */
const FIELD_TYPE = /^(?:text\/|multipart\/|application\/(?:json$|x-www-form-urlencoded$|.*\+json$))/;

/** A part whose content is arriving. */
interface Part {
  head: PartHead;
  /** The content so far, if it is a text to be decoded as a whole. */
  text: { chunks: Buffer[]; bytes: number } | null;
  begun: boolean;
}

/**
 * Rewrites a multipart form as real clients send it into the strict form that the parser reads: lines end with CRLF,
 * the boundary stands alone, names and texts are UTF-8, and every file has a name. What arrives is passed on at
 * once; only fields are held until they are complete. Errors are those for the caller.
 */
export class PlainForm {
  #rest: Buffer = Buffer.alloc(0);
  #state: 'before' | 'head' | 'content' | 'over' = 'before';
  #needle: Buffer;
  #part: Part | null = null;
  #charset: string | null;
  /** The boundary of the strict form. */
  readonly boundary = `strict-${randomUUID()}`;
  readonly #border = Buffer.from(`\r\n--${this.boundary}`);
  /** Fields whose charset may still be named by a later field `_charset_`. */
  #undecided: { readonly head: PartHead; readonly bytes: Buffer }[] = [];
  #held = 0;
  #out: Buffer[] = [];

  constructor(
    boundary: string,
    charset: string | null,
    private readonly reading: FormReading,
  ) {
    this.#needle = Buffer.from(`--${boundary}`, 'latin1');
    this.#charset = charset;
  }

  /** The next bytes of the strict form. */
  push(chunk: Buffer): Buffer {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let going = true;
    while (going) {
      if (this.#state === 'before') going = this.#findFirst();
      else if (this.#state === 'head') going = this.#readHead();
      else if (this.#state === 'content') going = this.#readContent();
      else going = false;
    }
    if (this.#state === 'over') this.#rest = Buffer.alloc(0);
    const out = this.#out;
    this.#out = [];
    return out.length === 1 && out[0] !== undefined ? out[0] : Buffer.concat(out);
  }

  #findFirst(): boolean {
    const found = nextDelimiter(this.#rest, this.#needle, (at) => at === 0 || this.#rest[at - 1] === LF);
    if (typeof found === 'number') {
      // Its first byte stays, so that the start of a later line is recognised.
      this.#rest = this.#rest.subarray(Math.max(0, found - 1));
      return false;
    }
    // A form that begins with a bare line feed has no others.
    const bare = this.#rest[found.end - 1] === LF && this.#rest[found.end - 2] !== CR;
    this.#needle = Buffer.concat([Buffer.from(bare ? '\n' : '\r\n'), this.#needle]);
    this.#turn(found);
    return true;
  }

  #readHead(): boolean {
    const end = this.#headEnd();
    if (end === null) {
      if (this.#rest.length > HEAD_BYTES) fail('INVALID', 'The headers of a part of the form are too long');
      return false;
    }
    const lines = this.#rest.toString('latin1', 0, end);
    this.#rest = this.#rest.subarray(end);
    if (lines.includes('\0'))
      fail('INVALID', 'The form is not valid multipart: a part has a malformed header');
    const head = named(readPartHead(lines, this.#charset), this.reading.files);
    const isField = head.filename === null;
    const isText = isField || (this.reading.textFiles && head.charset !== null);
    this.#part = { head, text: isText ? { chunks: [], bytes: 0 } : null, begun: false };
    this.#state = 'content';
    return true;
  }

  /** The end of the empty line behind the headers. */
  #headEnd(): number | null {
    let start = 0;
    for (;;) {
      const end = this.#rest.indexOf(LF, start);
      if (end < 0) return null;
      if (end === start || (end === start + 1 && this.#rest[start] === CR)) return end + 1;
      start = end + 1;
    }
  }

  #readContent(): boolean {
    const found = nextDelimiter(this.#rest, this.#needle);
    const upTo = typeof found === 'number' ? found : found.start;
    if (upTo > 0) this.#content(this.#rest.subarray(0, upTo));
    this.#rest = this.#rest.subarray(upTo);
    if (typeof found === 'number') return false;
    this.#endPart();
    this.#turn({ ...found, end: found.end - upTo });
    return true;
  }

  #turn({ end, last }: Delimiter): void {
    this.#rest = this.#rest.subarray(end);
    this.#state = last ? 'over' : 'head';
    if (!last) return;
    this.#decide();
    this.#out.push(this.#border, Buffer.from('--\r\n'));
  }

  #content(bytes: Buffer): void {
    const part = this.#part;
    if (part === null) return;
    if (part.text !== null && part.text.bytes + bytes.length <= this.reading.fieldBytes) {
      part.text.chunks.push(bytes);
      part.text.bytes += bytes.length;
      return;
    }
    this.#begin(part);
    this.#out.push(bytes);
  }

  /** Passes on the headers of a part, and what was held of it. */
  #begin(part: Part): void {
    if (part.begun) return;
    // The parser hands on what is in front of a file before the file itself.
    if (part.head.filename !== null) this.#decide();
    part.begun = true;
    this.#out.push(this.#border, headOf(part.head), ...(part.text?.chunks ?? []));
    part.text = null;
  }

  #endPart(): void {
    const part = this.#part;
    this.#part = null;
    if (part === null || part.begun) return;
    // Nothing was chosen in this file field of a page.
    if (part.head.filename === '' && (part.text?.bytes ?? 0) === 0) return;
    if (part.text === null) {
      this.#begin(part);
      return;
    }
    const bytes = Buffer.concat(part.text.chunks);
    if (part.head.name === '_charset_') this.#charset ??= bytes.toString('latin1').trim() || null;
    if (part.head.charset !== null || this.#charset !== null || isUtf8(bytes)) {
      this.#write(part.head, textIn(bytes, part.head.charset ?? this.#charset));
      return;
    }
    this.#undecided.push({ head: part.head, bytes });
    this.#held += bytes.length;
    if (this.#held > this.reading.fieldBytes) this.#decide();
  }

  /** Decodes the fields whose charset nobody named. */
  #decide(): void {
    const fields = this.#undecided;
    this.#undecided = [];
    this.#held = 0;
    if (fields.length === 0) return;
    const guess = guessDecoder(
      fields.map(({ bytes }) => bytes),
      'windows',
    );
    for (const { head, bytes } of fields) {
      const isGuessed =
        this.#charset === null && (this.reading.unnamed === 'guess' || NAME_FIELDS.has(head.name ?? ''));
      this.#write(head, isGuessed ? guess(bytes) : textIn(bytes, this.#charset));
    }
  }

  #write(head: PartHead, text: string): void {
    this.#out.push(this.#border, headOf(head), Buffer.from(text));
  }
}

/** The strict headers of a part; curl calls standard input `-`. */
const headOf = (head: PartHead): Buffer =>
  writePartHead(head.filename === '' || head.filename === '-' ? { ...head, filename: NAMELESS } : head);

/** A part that has the type or the name of a file is one, even if it was not given a name as such. */
function named(head: PartHead, files: RegExp | undefined): PartHead {
  if (head.filename !== null) return head;
  const isFile = (head.type !== null && !FIELD_TYPE.test(head.type)) || files?.test(head.name ?? '') === true;
  return isFile ? { ...head, filename: '-' } : head;
}
