/** A mail as a person would see it. */
export interface ReadableMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** By name in lower case, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent. */
  readonly source: string;
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Parses the RFC 5322 and MIME that our drivers write; strict, so that a malformed mail fails its test. */
export function readMime(raw: string): ReadableMail {
  const mail = split(raw);
  const parts = leaves(mail);
  const find = (type: string) => parts.find((part) => typeOf(part).startsWith(type));
  const text = find('text/plain');
  const html = find('text/html');
  return {
    from: words(need(mail, 'from')),
    to: words(need(mail, 'to')).split(/,\s*/),
    subject: words(need(mail, 'subject')),
    text: text === undefined ? '' : content(text),
    html: html === undefined ? null : content(html),
    headers: Object.fromEntries(mail.headers),
    source: raw,
  };
}

/** All header lines of a raw mail, unfolded. */
export function headerLines(raw: string): string[] {
  return (raw.split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n');
}

function split(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n');
  if (end === -1) throw new Error('no end of headers');
  const headers = new Map<string, string>();
  for (const line of headerLines(raw)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || headers.has(name)) throw new Error(`bad or repeated header: ${line}`);
    headers.set(name, line.slice(colon + 1).trim());
  }
  return { headers, body: raw.slice(end + 4) };
}

function need(part: Part, name: string): string {
  const value = part.headers.get(name);
  if (value === undefined) throw new Error(`no ${name} header`);
  return value;
}

function typeOf(part: Part): string {
  return part.headers.get('content-type') ?? 'text/plain';
}

function leaves(part: Part): Part[] {
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(typeOf(part))?.[1];
  if (boundary === undefined) return [part];
  return part.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((piece) => leaves(split(piece.replace(/^\r\n/, '').replace(/\r\n$/, ''))));
}

function content(part: Part): string {
  const encoding = (part.headers.get('content-transfer-encoding') ?? '7bit').toLowerCase();
  if (encoding === 'base64') return Buffer.from(part.body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return part.body;
  return unquote(part.body.replace(/=\r\n/g, ''));
}

function unquote(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Encoded words (RFC 2047). */
function words(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_match, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : unquote(text.replaceAll('_', ' ')),
    );
}
