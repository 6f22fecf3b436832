import { InboundRefused } from '../../../../routers/base/ports/mail/mail.js';

/** The names that libraries and scripts give to encodings of bytes in text. */
const ENCODINGS: Readonly<Record<string, BufferEncoding>> = {
  '': 'base64',
  base64: 'base64',
  base64url: 'base64url',
  hex: 'hex',
  utf8: 'utf8',
  'utf-8': 'utf8',
  text: 'utf8',
  string: 'utf8',
  ascii: 'utf8',
  '7bit': 'utf8',
  '8bit': 'utf8',
  binary: 'latin1',
  latin1: 'latin1',
};

/**
 * The bytes of a value in JSON: text in a named encoding (base64 if none is named), a list of numbers, or what
 * `JSON.stringify` makes of a Buffer or a typed array. Throws `InboundRefused` with `place` for anything else: an
 * attachment is never stored damaged.
 */
export function carriedBytes(value: unknown, encoding: unknown, place: string): Buffer {
  if (value === null || value === undefined) return Buffer.alloc(0);
  if (typeof value === 'string') return fromText(value, encoding, place);
  const list = listIn(value);
  if (list === null || list.some((byte) => !Number.isInteger(byte) || byte < 0 || byte > 255))
    throw new InboundRefused(
      'malformed',
      `The mail cannot be read at ${place}: send the bytes as base64, for example with attachmentEncoding: "base64"`,
    );
  return Buffer.from(list);
}

function fromText(text: string, given: unknown, place: string): Buffer {
  const name = typeof given === 'string' ? given.trim().toLowerCase() : '';
  const encoding = ENCODINGS[name];
  if (encoding === undefined)
    throw new InboundRefused('malformed', `The mail cannot be read at ${place}: its encoding is not known`);
  if (encoding === 'utf8' || encoding === 'latin1') return Buffer.from(text, encoding);
  const digits = text.replace(/^data:[\w.+/;=-]{0,200};base64,/, '').replace(/\s+/g, '');
  const sound =
    encoding === 'hex'
      ? digits.length % 2 === 0 && /^[0-9a-f]*$/i.test(digits)
      : digits.replace(/(?<!=)=+$/, '').length % 4 !== 1 && /^[A-Za-z0-9+/_-]*={0,2}$/.test(digits);
  if (!sound)
    throw new InboundRefused(
      'malformed',
      `The mail cannot be read at ${place}: it is not ${name || 'base64'}`,
    );
  return Buffer.from(digits, encoding);
}

/** The numbers of `[1, 2]`, `{type: "Buffer", data: [1, 2]}` and `{"0": 1, "1": 2}`; null for anything else. */
function listIn(value: unknown): number[] | null {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return null;
  const { type, data } = value as { readonly type?: unknown; readonly data?: unknown };
  if (type === 'Buffer' && Array.isArray(data)) return data;
  const entries = Object.entries(value);
  // An ArrayBuffer becomes `{}`: its bytes are gone.
  return entries.length > 0 && entries.every(([index], at) => index === String(at))
    ? entries.map(([, byte]) => byte)
    : null;
}
