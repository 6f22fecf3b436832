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

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
