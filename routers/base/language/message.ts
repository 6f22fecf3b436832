/**
 * Texts with values: a part of ICU MessageFormat, small enough for the scripts of pages, too (docs/adr/0023).
 *
 *     {name}                                     a value as it is
 *     {n, number}                                a number as its language writes it
 *     {n, plural, =0 {none} one {# file} other {# files}}
 *     {who, select, owner {you} other {others}}
 *     <link>words</link>                         words inside an element
 *
 * An apostrophe in front of a brace, `<` or `#` quotes up to the next one; every other apostrophe is itself.
 */

/** What a placeholder stands for. */
export type Value = string | number;
/** The values of a text, by name; a function makes the element of a tag. */
export type Values<T = never> = Readonly<
  Record<string, Value | T | ((inside: readonly (string | T)[]) => T)>
>;

type Part =
  | string
  | { readonly kind: 'value'; readonly name: string; readonly number: boolean }
  | { readonly kind: 'count' }
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly plural: boolean;
      readonly cases: ReadonlyMap<string, readonly Part[]>;
    }
  | { readonly kind: 'tag'; readonly name: string; readonly inside: readonly Part[] };

/** A text that is no message: an unbalanced brace or tag, or a choice without `other`. */
export class MessageInvalid extends Error {}

class Reader {
  #at = 0;
  constructor(readonly text: string) {}

  /** The parts up to the end of the text, of a case (`}`) or of a tag (`</`). */
  parts(end: '' | '}' | '</', counted: boolean): Part[] {
    const parts: Part[] = [];
    let words = '';
    const flush = (): void => {
      if (words !== '') parts.push(words);
      words = '';
    };
    for (;;) {
      const at = this.text[this.#at];
      if (at === undefined) {
        if (end !== '') this.#fail(`${end} is missing`);
        break;
      }
      if (end !== '' && this.text.startsWith(end, this.#at)) break;
      if (at === "'" && /[{}<#]/.test(this.text[this.#at + 1] ?? '')) words += this.#quoted();
      else if (at === '{') {
        flush();
        parts.push(this.#braced());
      } else if (at === '<' && /[a-z]/.test(this.text[this.#at + 1] ?? '')) {
        flush();
        parts.push(this.#tag(counted));
      } else if (at === '#' && counted) {
        flush();
        parts.push({ kind: 'count' });
        this.#at += 1;
      } else if (at === '}') this.#fail('a } too many');
      else {
        words += at;
        this.#at += 1;
      }
    }
    flush();
    return parts;
  }

  #quoted(): string {
    const end = this.text.indexOf("'", this.#at + 1);
    if (end < 0) this.#fail("' is missing");
    const words = this.text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return words;
  }

  #braced(): Part {
    this.#at += 1;
    const name = this.#word();
    if (this.#ends('}')) return { kind: 'value', name, number: false };
    this.#expect(',');
    const kind = this.#word();
    if (kind === 'number') {
      this.#expect('}');
      return { kind: 'value', name, number: true };
    }
    if (kind !== 'plural' && kind !== 'select') this.#fail(`no such kind: ${kind}`);
    this.#expect(',');
    const cases = new Map<string, readonly Part[]>();
    while (!this.#ends('}')) {
      const key = this.#word();
      this.#expect('{');
      cases.set(key, this.parts('}', kind === 'plural'));
      this.#expect('}');
    }
    if (!cases.has('other')) this.#fail('other is missing');
    return { kind: 'choice', name, plural: kind === 'plural', cases };
  }

  #tag(counted: boolean): Part {
    this.#at += 1;
    const name = this.#word();
    this.#expect('>');
    const inside = this.parts('</', counted);
    this.#at += 2;
    if (this.#word() !== name) this.#fail(`</${name}> is missing`);
    this.#expect('>');
    return { kind: 'tag', name, inside };
  }

  #space(): void {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at += 1;
  }

  #word(): string {
    this.#space();
    const from = this.#at;
    while (/[\w=]/.test(this.text[this.#at] ?? '')) this.#at += 1;
    if (from === this.#at) this.#fail('a name is missing');
    return this.text.slice(from, this.#at);
  }

  #ends(mark: string): boolean {
    // After `}` and `>` comes text, whose spaces count.
    this.#space();
    if (this.text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#ends(mark)) this.#fail(`${mark} is missing`);
  }

  #fail(why: string): never {
    throw new MessageInvalid(`${why} at ${this.#at} of "${this.text}"`);
  }
}

/** By text: those of the sources and the catalogues, so no more than there are of them. */
const parsed = new Map<string, readonly Part[]>();

function partsOf(text: string): readonly Part[] {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const parts = new Reader(text).parts('', false);
  parsed.set(text, parts);
  return parts;
}

/** The names of the values and tags in a text; throws `MessageInvalid` if it is none. */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (parts: readonly Part[]): void => {
    for (const part of parts) {
      if (typeof part === 'string' || part.kind === 'count') continue;
      names.add(part.kind === 'tag' ? `<${part.name}>` : part.name);
      if (part.kind === 'tag') walk(part.inside);
      if (part.kind === 'choice') for (const inside of part.cases.values()) walk(inside);
    }
  };
  walk(partsOf(text));
  return names;
}

const made = <T>(make: (language: string) => T): ((language: string) => T) => {
  const kept = new Map<string, T>();
  return (language) => {
    const known = kept.get(language) ?? make(language);
    kept.set(language, known);
    return known;
  };
};

/** The numbers of a language; one object each, because making them is slow. */
export const numbersOf = made((language) => new Intl.NumberFormat(language));
const pluralsOf = made((language) => new Intl.PluralRules(language));

/** A text with its values in a language, in pieces: neighbouring words are one. */
export function pieces<T>(text: string, values: Values<T>, language: string): (string | T)[] {
  const out: (string | T)[] = [];
  const add = (piece: string | T): void => {
    const last = out.length - 1;
    const before = out[last];
    if (typeof piece === 'string' && typeof before === 'string') out[last] = before + piece;
    else out.push(piece);
  };
  const given = (name: string) => {
    const value = values[name];
    if (value === undefined && !Object.hasOwn(values, name))
      throw new Error(`no value for ${name} of "${text}"`);
    return value ?? '';
  };
  const write = (parts: readonly Part[], put: (piece: string | T) => void, count: number | null): void => {
    for (const part of parts) {
      if (typeof part === 'string') put(part);
      else if (part.kind === 'count') put(numbersOf(language).format(count ?? 0));
      else if (part.kind === 'value') {
        const value = given(part.name);
        if (typeof value === 'function') throw new Error(`${part.name} of "${text}" is a tag`);
        put(
          typeof value !== 'number' ? value : part.number ? numbersOf(language).format(value) : String(value),
        );
      } else if (part.kind === 'choice') {
        const value = given(part.name);
        const number = part.plural ? Number(value) : null;
        const key = number === null ? String(value) : pluralsOf(language).select(number);
        const chosen = part.cases.get(`=${value}`) ?? part.cases.get(key) ?? part.cases.get('other') ?? [];
        write(chosen, put, number ?? count);
      } else {
        const element = given(part.name);
        if (typeof element !== 'function') throw new Error(`<${part.name}> of "${text}" is no tag`);
        const inside: (string | T)[] = [];
        write(part.inside, (piece) => inside.push(piece), count);
        put((element as (inside: readonly (string | T)[]) => T)(inside));
      }
    }
  };
  write(partsOf(text), add, null);
  return out;
}

/** A text with its values in a language. */
export const formatted = (text: string, values: Values, language: string): string =>
  pieces(text, values, language).join('');

declare const marked: unique symbol;
/**
 * An English text that the catalogues know, kept in a constant until its reader is known. It is a string, but not for
 * the compiler, which so refuses to show one that nobody has said.
 */
export type Message = symbol & { readonly [marked]: true };
