import { isBlank } from '../routers/blank.js';

type Lists = ReadonlyMap<string, string[]>;

const NO_LISTS: Lists = new Map();
const NO_FLAGS: ReadonlySet<string> = new Set();

/**
 * Named values as they came over the wire, from a query, a form or a JSON body. The readers turn text into
 * the types the procedures want; what cannot be turned is passed on as it is, so that the procedure's schema
 * refuses it with its own words. Absent and inherited names are undefined.
 */
export class Fields {
  /** `lists` holds every value of the names that a form repeated, `flags` the names that stood without `=`. */
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly lists: Lists = NO_LISTS,
    private readonly flags: ReadonlySet<string> = NO_FLAGS,
  ) {}

  /** The value as it came; of a repeated name the first. */
  raw(...names: readonly string[]): unknown {
    for (const name of names) {
      if (!Object.hasOwn(this.values, name)) continue;
      const value = this.values[name];
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Text; the first of the names that is there. JSON may hold null or a number instead, for the schema to take or refuse. */
  text(...names: readonly string[]): string | undefined {
    return this.raw(...names) as string | undefined;
  }

  /** As `text`, for what has to be there: the schema refuses its absence. */
  required(...names: readonly string[]): string {
    return this.raw(...names) as string;
  }

  /** Text whatever came, "" where none did: for what no schema looks at. */
  string(...names: readonly string[]): string {
    const value = this.raw(...names);
    return typeof value === 'string' ? value : '';
  }

  /** As `text`, and "" counts as absent: a form that was not touched changes nothing. */
  filled(...names: readonly string[]): string | undefined {
    const value = this.text(...names);
    return value === '' ? undefined : value;
  }

  /** A number; one that nobody filled in counts as absent. */
  number(...names: readonly string[]): number | undefined {
    const value = this.raw(...names);
    if (typeof value !== 'string') return value as number | undefined;
    const text = value.trim();
    if (isBlank(text)) return undefined;
    return (/^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : value) as number;
  }

  /** `true/false/1/0` in any case; a bare `?flag` is true, but `?flag=` counts as absent: forms send what nobody chose. */
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

  /** A list: a JSON list, a repeated name (`a=1&a=2` or `a[]=1`), or text with commas. */
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

  /** Every value that came under a name, as it came. */
  every(name: string): readonly unknown[] {
    const value = this.raw(name);
    return this.lists.get(name) ?? (Array.isArray(value) ? value : [value]);
  }

  /** These fields; where a name is absent, those of another source. */
  over(other: Fields): Fields {
    const lists = new Map([...other.lists].filter(([name]) => !Object.hasOwn(this.values, name)));
    const flags = new Set([...other.flags, ...this.flags]);
    return new Fields({ ...other.values, ...this.values }, new Map([...lists, ...this.lists]), flags);
  }

  /** As somebody typed them: a page sends each line break as CRLF, whatever was meant. */
  typed(): Fields {
    const values = Object.entries(this.values).map(([name, value]) => [name, withLineFeeds(value)]);
    const lists = [...this.lists].map(([name, all]) => [name, all.map(withLineFeeds)] as const);
    return new Fields(Object.fromEntries(values), new Map(lists), this.flags);
  }

  /** All values, for procedures that take settings as they are. */
  all(): Record<string, unknown> {
    return { ...this.values };
  }
}

const withLineFeeds = <T>(value: T): T =>
  typeof value === 'string' ? (value.replaceAll('\r\n', '\n') as T) : value;

/** No values at all. */
export const NO_FIELDS = new Fields({});

/** Fields of a query string (with or without `?`) or of an urlencoded body; of a repeated name the first wins. */
export function fieldsOf(encoded: string): Fields {
  if (encoded === '' || encoded === '?') return NO_FIELDS;
  const values: Record<string, unknown> = Object.create(null);
  const lists = new Map<string, string[]>();
  for (const [given, value] of new URLSearchParams(encoded)) {
    const name = given.endsWith('[]') ? given.slice(0, -2) : given;
    const first = values[name];
    if (first === undefined) values[name] = value;
    const known = lists.get(name);
    if (known !== undefined) known.push(value);
    else if (first !== undefined) lists.set(name, [String(first), value]);
    else if (name !== given) lists.set(name, [value]);
  }
  return new Fields(values, lists, flagsOf(encoded));
}

/** The names without `=`: `?base64&raw`. */
function flagsOf(encoded: string): ReadonlySet<string> {
  const bare = encoded
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '' && !part.includes('='));
  return bare.length === 0 ? NO_FLAGS : new Set(bare);
}
