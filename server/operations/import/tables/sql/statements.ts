import { ImportError } from '../../port.js';
import type { Dump } from './bytes.js';

/** The dump ends within a statement, or lacks its last line. */
export class CutOff extends ImportError {}

/** The longest statement that is read: mysqldump writes at most `max_allowed_packet`, usually 16 MiB. */
const MAX_STATEMENT = 128 * 1024 * 1024;

/** A statement without its comments, or a line of the rows that follow a `COPY … FROM stdin`. */
type Statement = { readonly sql: string } | { readonly copy: string; readonly line: string };

const COPY = /^COPY[ \t\r\n][\s\S]*[ \t\r\n]FROM[ \t\r\n]+stdin\b/i;
/** What ends a stretch outside of quotes and comments in which nothing has a meaning. */
const SIGN = /['"`;#/*$\\-]/g;
/** What ends a stretch in quotes where a backslash escapes what follows. */
const IN_QUOTES: Readonly<Record<string, RegExp>> = { "'": /['\\]/g, '"': /["\\]/g };
const BLANKS = /[ \t\r\n\f\v]*/y;
/** A line that is for the client; it stands between statements. */
const CLIENT_LINE = /(?:DELIMITER[ \t]+(\S+)[^\n]*|\\[^\n]*)(?:\n|$)/iy;
/** A sign with its neighbours, or a line for the client, is shorter. */
const LOOKAHEAD = 256;

/**
 * The statements of a dump, one at a time. Ignores comments, but not what MySQL executes within them (`/*!40101 … *\/`).
 * Throws `CutOff` in the end.
 */
export async function* statementsOf(path: string, dump: Dump): AsyncGenerator<Statement> {
  const reader = new StatementReader(dump.escapes);
  let tail = '';
  for await (const piece of dump.pieces()) {
    tail = (tail + piece).slice(-4_096);
    yield* reader.read(piece, false);
    if (reader.held > MAX_STATEMENT) throw new ImportError(`${path} is not an SQL dump that can be read`);
  }
  yield* reader.read('', true);
  if (reader.isWithin || (dump.end !== null && !dump.end.test(tail)))
    throw new CutOff(
      `${path} is cut off: it ends within a statement, or before its last line. Write the dump again`,
    );
}

/** What a reader is within: quotes, or a comment, up to a text; outside of both null. */
interface Within {
  readonly until: string;
  readonly isComment: boolean;
  readonly hasEscapes: boolean;
}

class StatementReader {
  /** What has been read, where the next sign is, and from where on nothing is in the statement yet. */
  #text = '';
  #at = 0;
  #from = 0;
  #statement = '';
  #within: Within | null = null;
  /** Whether nothing of a statement has begun. */
  #isFresh = true;
  /** Whether it is in a comment that MySQL executes. */
  #isExecuted = false;
  #delimiter = ';';
  /** The statement whose rows follow. */
  #copy: string | null = null;

  constructor(private readonly escapes: boolean) {}

  get held(): number {
    return this.#text.length + this.#statement.length;
  }

  /** Whether something has no end. */
  get isWithin(): boolean {
    return this.#copy !== null || this.#within !== null || this.#isExecuted || this.#statement.trim() !== '';
  }

  *read(piece: string, isLast: boolean): Generator<Statement> {
    this.#text = this.#text.slice(this.#from) + piece;
    this.#at -= this.#from;
    this.#from = 0;
    const end = isLast ? this.#text.length : this.#text.length - LOOKAHEAD;
    while (this.#at < end) {
      if (this.#copy !== null) {
        const line = this.line(isLast);
        if (line === null) return;
        if (line === '\\.') this.#copy = null;
        else yield { copy: this.#copy, line };
      } else if (this.#within !== null) this.leave(this.#within, end);
      else if (!this.#isFresh || !this.passClientLine()) {
        const sql = this.next(end);
        if (sql === null || sql === '') continue;
        yield { sql };
        if (this.escapes || !COPY.test(sql)) continue;
        this.#copy = sql;
        this.#at = this.#text.indexOf('\n', this.#at) + 1 || this.#text.length;
        this.#from = this.#at;
      }
    }
    if (isLast && this.#within?.until === '\n') this.#within = null;
    this.take();
  }

  /** Moves what was passed into the statement, unless it is a comment. */
  private take(): void {
    if (this.#within?.isComment !== true) this.#statement += this.#text.slice(this.#from, this.#at);
    this.#from = this.#at;
  }

  /** Leaves out what comes next; it separates words. */
  private leaveOut(length: number): void {
    this.take();
    this.#statement += ' ';
    this.#at += length;
    this.#from = this.#at;
  }

  /** The next line of rows; null if its end is not there yet. */
  private line(isLast: boolean): string | null {
    const end = this.#text.indexOf('\n', this.#at);
    if (end < 0 && !isLast) return null;
    const line = this.#text.slice(this.#at, end < 0 ? undefined : end).replace(/\r$/, '');
    this.#at = end < 0 ? this.#text.length : end + 1;
    this.#from = this.#at;
    return line;
  }

  /** Passes the rest of quotes or of a comment, as far as it is there. */
  private leave({ until, isComment, hasEscapes }: Within, end: number): void {
    const close = hasEscapes ? this.find(IN_QUOTES[until] ?? SIGN) : this.#text.indexOf(until, this.#at);
    if (hasEscapes && this.#text[close] === '\\') this.#at = close + 2;
    else if (close < 0) this.#at = end;
    else {
      this.#at = close + until.length;
      if (isComment) this.#from = this.#at;
      this.#within = null;
    }
  }

  private find(sign: RegExp): number {
    sign.lastIndex = this.#at;
    return sign.exec(this.#text)?.index ?? -1;
  }

  /** Passes blanks, and a line for the client; false if a statement or a comment begins. */
  private passClientLine(): boolean {
    BLANKS.lastIndex = this.#at;
    this.#at += BLANKS.exec(this.#text)?.[0].length ?? 0;
    CLIENT_LINE.lastIndex = this.#at;
    const [line, delimiter] = CLIENT_LINE.exec(this.#text) ?? [];
    this.#at += line?.length ?? 0;
    this.#from = this.#at;
    this.#delimiter = delimiter ?? this.#delimiter;
    return line !== undefined || this.#at >= this.#text.length;
  }

  /** The statement that ends with the next sign; an empty one or null if the sign does not end one. */
  private next(end: number): string | null {
    const sign = this.find(SIGN);
    const delimiter = this.#delimiter === ';' ? -1 : this.#text.indexOf(this.#delimiter, this.#at);
    const at = delimiter >= 0 && (sign < 0 || delimiter < sign) ? delimiter : sign;
    if (at > this.#at || at < 0) this.#isFresh = false;
    this.#at = at < 0 || at > end ? end : at;
    if (this.#at === end) return null;
    if (!this.#text.startsWith(this.#delimiter, at)) {
      this.begin(this.#text.slice(at, at + LOOKAHEAD));
      return null;
    }
    this.take();
    const statement = this.#statement.trim();
    this.#statement = '';
    this.#at += this.#delimiter.length;
    this.#from = this.#at;
    this.#isFresh = true;
    return statement;
  }

  /** Enters the quotes or the comment that begins here, or passes the sign. */
  private begin(ahead: string): void {
    const [executed] = this.escapes ? (/^\/\*M?!\d*/.exec(ahead) ?? []) : [];
    if (executed !== undefined || (this.#isExecuted && ahead.startsWith('*/'))) {
      this.leaveOut(executed?.length ?? 2);
      this.#isExecuted = executed !== undefined;
    } else if (ahead.startsWith('/*')) this.enterComment('*/', 2);
    else if (this.escapes ? /^(?:#|--(?:\s|$))/.test(ahead) : ahead.startsWith('--'))
      this.enterComment('\n', 1);
    else {
      const [tag] = this.escapes ? [] : (/^\$(?:[A-Za-z_]\w*)?\$/.exec(ahead) ?? []);
      const quote = tag ?? /^['"`]/.exec(ahead)?.[0];
      if (quote !== undefined)
        this.#within = { until: quote, isComment: false, hasEscapes: this.hasEscapes(quote) };
      this.#isFresh = false;
      this.#at += quote?.length ?? 1;
    }
  }

  private enterComment(until: string, length: number): void {
    this.leaveOut(length);
    this.#within = { until, isComment: true, hasEscapes: false };
  }

  private hasEscapes(quote: string): boolean {
    if (quote !== "'" && quote !== '"') return false;
    const before = this.#statement.slice(-2) + this.#text.slice(Math.max(this.#from, this.#at - 2), this.#at);
    return this.escapes || (quote === "'" && /(?:^|\W)e$/i.test(before));
  }
}
