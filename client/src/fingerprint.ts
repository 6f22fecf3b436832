/** What identifies an upload: the file as far as it can be known without reading it, and its options. */
interface Identified {
  readonly target: { readonly origin: string };
  readonly file: Pick<Blob, 'size' | 'type'>;
  readonly name: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly answers?: { readonly request: string };
}

/** Options that a sender gives anew each time, or cannot give twice. */
const PASSING: ReadonlySet<string> = new Set(['expiresAt', 'uniqueId', 'source']);

/**
 * The same for the same file with the same options to the same server. The options are part of it, so that a file that
 * shall be private now never continues a public upload; a password is only part of a hash.
 */
export function fingerprintOf({ target, file, name, fields, answers }: Identified): string {
  const { lastModified = 0 } = file as { lastModified?: number };
  const options = fields.filter(([field]) => !PASSING.has(field)).sort(([a], [b]) => (a < b ? -1 : 1));
  const receiver = answers === undefined ? [] : [answers.request];
  const text = JSON.stringify([
    target.origin,
    name,
    file.size,
    file.type,
    lastModified,
    options,
    ...receiver,
  ]);
  return hashed(text);
}

/** 106 bits of a text. Not for secrets: it only has to differ for different files. */
function hashed(text: string): string {
  return [0, 1].map((seed) => mixed(text, seed).toString(36)).join('-');
}

function mixed(text: string, seed: number): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
