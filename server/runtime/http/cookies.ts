const NONE: ReadonlyMap<string, string> = new Map();

/** The cookies in a `Cookie` header, for everything that asks whether or what a client has sent. */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  if (header === undefined) return NONE;
  const cookies = new Map<string, string>();
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    // Of several cookies with the same name, the first one has the most specific path.
    if (at > 0 && !cookies.has(name)) cookies.set(name, decode(part.slice(at + 1).trim()));
  }
  return cookies;
}

/** At most this many of the same name are looked at. */
const MAX_ALIKE = 4;
const NO_VALUES: readonly string[] = [];

/**
 * The values of all cookies of a name, the most specific path first and of the same path the oldest. A browser sends
 * several if they were set for the host and for its domain, or by something else there.
 */
export function cookiesNamed(header: string | undefined, name: string): readonly string[] {
  if (header?.includes(name) !== true) return NO_VALUES;
  const values = new Set<string>();
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) values.add(decode(part.slice(at + 1).trim()));
  }
  return [...values].slice(0, MAX_ALIKE);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
