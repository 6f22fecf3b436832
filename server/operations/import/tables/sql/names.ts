/** Where in a statement something is read. */
export class Cursor {
  at = 0;

  constructor(readonly sql: string) {}

  /** Passes blanks and what a sticky expression matches; null if it does not match. */
  match(sticky: RegExp): RegExpExecArray | null {
    BLANKS.lastIndex = this.at;
    this.at += BLANKS.exec(this.sql)?.[0].length ?? 0;
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.sql);
    if (found !== null) this.at += found[0].length;
    return found;
  }

  /** A name, of which only the last part counts: `"public"."User"` is `User`. Null if there is none. */
  name(): string | null {
    let name = this.part();
    while (name !== null && this.match(/\./y) !== null) name = this.part();
    return name;
  }

  private part(): string | null {
    const [, back, double, square, plain] = this.match(NAME) ?? [];
    return back?.replaceAll('``', '`') ?? double?.replaceAll('""', '"') ?? square ?? plain ?? null;
  }

  /** Passes what is in parentheses, the opening one included. */
  parentheses(): void {
    let depth = 0;
    do {
      const [, quote, sign] = this.match(/(?:[^'"`()]|'')*?(?:(['"`])|([()]))/y) ?? [
        '',
        undefined,
        undefined,
      ];
      if (quote !== undefined) this.quoted(quote);
      else if (sign === undefined) return;
      else depth += sign === '(' ? 1 : -1;
    } while (depth > 0);
  }

  /** Passes the rest of a text in quotes. */
  private quoted(quote: string): void {
    for (; this.at < this.sql.length; this.at += 1) {
      if (this.sql[this.at] === '\\' && quote !== '`') this.at += 1;
      else if (this.sql[this.at] === quote) {
        this.at += 1;
        return;
      }
    }
  }
}

// A no-break space is a byte of many letters here.
const BLANKS = /[ \t\r\n\f\v]*/y;
const NAME = /`((?:[^`]|``)*)`|"((?:[^"]|"")*)"|\[([^\]]*)\]|([\w$\x80-\xff]+)/y;
