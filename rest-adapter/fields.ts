import { isBlank } from '../routers/base/text/blank.js';

type Lists = ReadonlyMap<string, string[]>;

const NO_LISTS: Lists = new Map();

/** No names without `=`. */
export const NO_FLAGS: ReadonlySet<string> = new Set();

/**
 * Named values as received, from a query, a form or a JSON body. The methods convert text to the types that
 * the procedures need. Values that cannot be converted are passed on unchanged, so that the procedure's
 * schema rejects them with its own message. Absent and inherited names are undefined.
 */
export class Fields {
  /** `lists` holds every value of the names that a form repeated, `flags` the names without `=`. */
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly lists: Lists = NO_LISTS,
    private readonly flags: ReadonlySet<string> = NO_FLAGS,
  ) {}

  /**
   * The value as received; the first one of a repeated name. Of several names it is the first that is not empty: forms
   * send the fields that nobody filled in, too. If all are empty, it is the first one present.
   */
  raw(...names: readonly string[]): unknown {
    let empty: unknown;
    for (const name of names) {
      if (!Object.hasOwn(this.values, name)) continue;
      const value = this.values[name];
      if (value !== undefined && value !== null && value !== '') return value;
      if (empty === undefined) empty = value;
    }
    return empty;
  }

  /** As `raw`, for text. JSON may contain null or a number, which the schema accepts or rejects. */
  text(...names: readonly string[]): string | undefined {
    return this.raw(...names) as string | undefined;
  }

  /** As `text`, for required fields: the schema rejects a missing value. */
  required(...names: readonly string[]): string {
    return this.raw(...names) as string;
  }

  /** Always text, "" if missing or not text: for values that no schema validates. */
  string(...names: readonly string[]): string {
    const value = this.raw(...names);
    return typeof value === 'string' ? value : '';
  }

  /** As `text`, but "" counts as absent: a form field that was left empty changes nothing. */
  filled(...names: readonly string[]): string | undefined {
    const value = this.text(...names);
    return value === '' ? undefined : value;
  }

  /** One of several words in lower case, however they are written; null and "" count as absent, the schema rejects others. */
  word(...names: readonly string[]): string | undefined {
    const value = this.raw(...names);
    if (value === null || value === '') return undefined;
    return (typeof value === 'string' ? value.trim().toLowerCase() : value) as string | undefined;
  }

  /** A number; an empty form field counts as absent. */
  number(...names: readonly string[]): number | undefined {
    const value = this.raw(...names);
    if (typeof value !== 'string') return value as number | undefined;
    const text = value.trim();
    if (isBlank(text)) return undefined;
    return (/^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : value) as number;
  }

  /** `true/false/1/0` in any case; a bare `?flag` is true, but `?flag=` is absent: forms send unselected fields so. */
  boolean(...names: readonly string[]): boolean | undefined {
    const value = this.raw(...names);
    if (value === 1 || value === 0) return value === 1;
    if (typeof value !== 'string') return value as boolean | undefined;
    const text = value.trim().toLowerCase();
    if (text === '') return names.some((name) => this.flags.has(name)) ? true : undefined;
    if (isBlank(text)) return undefined;
    if (text === 'true' || text === '1' || text === 'on') return true;
    return (text === 'false' || text === '0' || text === 'off' ? false : value) as boolean;
  }

  /** A list: a JSON list, a repeated name (`a=1&a=2` or `a[]=1`), or comma-separated text. */
  list(...names: readonly string[]): string[] | undefined {
    for (const name of names) {
      const repeated = this.lists.get(name);
      if (repeated !== undefined) return repeated;
    }
    const value = this.raw(...names);
    if (typeof value !== 'string') return value as string[] | undefined;
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  /** A value as `read` gives it, for a change: null and "" clear, and only an absent name keeps. */
  cleared<T>(read: (fields: Fields) => T, ...names: readonly string[]): T | null {
    const value = this.raw(...names);
    return value === null || value === '' ? null : read(this);
  }

  /** What a sender says of something that is sealed. */
  seal() {
    return { sealed: this.boolean('sealed'), sealedName: this.text('sealedName'), ...this.clear() };
  }

  /** What may not be said in the clear of something that is sealed. */
  clear() {
    return {
      title: this.raw('title'),
      desc: this.raw('desc', 'description'),
      originalName: this.raw('originalName'),
      tags: this.raw('tags'),
    };
  }

  /** Every value of a name, as received. */
  every(name: string): readonly unknown[] {
    const value = this.raw(name);
    return this.lists.get(name) ?? (Array.isArray(value) ? value : [value]);
  }

  /** These fields, with those of another source for absent names. */
  over(other: Fields): Fields {
    const lists = new Map([...other.lists].filter(([name]) => !Object.hasOwn(this.values, name)));
    const flags = new Set([...other.flags, ...this.flags]);
    return new Fields({ ...other.values, ...this.values }, new Map([...lists, ...this.lists]), flags);
  }

  /** The fields as they were typed: browsers send each line break as CRLF. */
  typed(): Fields {
    const values = Object.entries(this.values).map(([name, value]) => [name, withLineFeeds(value)]);
    const lists = [...this.lists].map(([name, all]) => [name, all.map(withLineFeeds)] as const);
    return new Fields(Object.fromEntries(values), new Map(lists), this.flags);
  }

  /** All values, for procedures that accept settings unchanged. */
  all(): Record<string, unknown> {
    return { ...this.values };
  }
}

const withLineFeeds = <T>(value: T): T =>
  typeof value === 'string' ? (value.replaceAll('\r\n', '\n') as T) : value;

/** No fields. */
export const NO_FIELDS = new Fields({});
