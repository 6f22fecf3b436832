import { createDecipheriv, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { z } from 'zod';
import type { PasteLink } from './privatebin-links.js';

/** A stored paste of PrivateBin 1.3 and later: format 2 of its API. */
export interface EncryptedPaste {
  /** What was signed together with it, exactly as it was written. */
  readonly signed: string;
  readonly parameters: Parameters;
  readonly ciphertext: string;
  readonly burn: boolean;
  readonly isMarkdown: boolean;
  readonly createdAt: number | null;
  readonly expiresAt: number | null;
}

interface PlainPaste {
  readonly text: string;
  readonly attachments: readonly { readonly name: string; readonly bytes: Buffer }[];
}

/** More would keep the import busy for minutes with one paste. */
const MAX_ITERATIONS = 2_000_000;
const MAX_BYTES = 64 * 1024 * 1024;
const derive = promisify(pbkdf2);
const inflate = promisify(inflateRaw);

const parameters = z.tuple([
  z.string(),
  z.string(),
  z.number().int().min(1).max(MAX_ITERATIONS),
  z.union([z.literal(128), z.literal(192), z.literal(256)]),
  z.union([z.literal(64), z.literal(96), z.literal(104), z.literal(112), z.literal(120), z.literal(128)]),
  z.literal('aes'),
  z.literal('gcm'),
  z.enum(['none', 'zlib']),
]);
type Parameters = z.infer<typeof parameters>;

const stored = z.object({
  v: z.literal(2),
  adata: z.tuple([parameters, z.string(), z.number(), z.number()]),
  ct: z.string(),
  meta: z.object({ created: z.number().optional(), expire_date: z.number().optional() }).catch({}),
});

const several = z.union([z.string(), z.array(z.string())]);
const plain = z.object({
  paste: z.string().default(''),
  attachment: several.optional(),
  attachment_name: several.optional(),
});

/** Reads a paste as it is stored; null if it cannot be read. */
export function readPaste(written: string): EncryptedPaste | null {
  const { data } = stored.safeParse(jsonOf(written));
  if (data === undefined) return null;
  const [inner, format, , burn] = data.adata;
  const { created, expire_date: end } = data.meta;
  return {
    signed: JSON.stringify(data.adata),
    parameters: inner,
    ciphertext: data.ct,
    burn: burn === 1,
    isMarkdown: format === 'markdown',
    createdAt: created === undefined ? null : created * 1000,
    expiresAt: end ? end * 1000 : null,
  };
}

/** What a paste says; null if this key and password do not open it. */
export async function decryptPaste(paste: EncryptedPaste, link: PasteLink): Promise<PlainPaste | null> {
  const [iv, salt, iterations, keyBits, tagBits, , , compression] = paste.parameters;
  const secret = Buffer.concat([link.key, Buffer.from(link.password, 'utf8')]);
  const key = await derive(secret, Buffer.from(salt, 'base64'), iterations, keyBits / 8, 'sha256');
  const bytes = Buffer.from(paste.ciphertext, 'base64');
  const tagLength = tagBits / 8;
  const body = bytes.subarray(0, Math.max(0, bytes.length - tagLength));
  try {
    const decipher = createDecipheriv(`aes-${keyBits}-gcm`, key, Buffer.from(iv, 'base64'), {
      authTagLength: tagLength,
    });
    decipher.setAAD(Buffer.from(paste.signed, 'utf8'));
    decipher.setAuthTag(bytes.subarray(body.length));
    const opened = Buffer.concat([decipher.update(body), decipher.final()]);
    const read = compression === 'zlib' ? await inflate(opened, { maxOutputLength: MAX_BYTES }) : opened;
    const { data } = plain.safeParse(jsonOf(read.toString('utf8')));
    if (data === undefined) return null;
    const names = listOf(data.attachment_name);
    const attachments = listOf(data.attachment).flatMap((address, index) => {
      const content = bytesOf(address);
      return content === null ? [] : [{ name: names[index] || 'attachment', bytes: content }];
    });
    return { text: data.paste, attachments };
  } catch {
    // The wrong key, or a damaged text: neither says more.
    return null;
  }
}

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

/** The bytes of a `data:` address. */
function bytesOf(address: string): Buffer | null {
  const comma = address.indexOf(',');
  if (!address.startsWith('data:') || comma < 0) return null;
  const content = address.slice(comma + 1);
  return address.slice(0, comma).endsWith(';base64')
    ? Buffer.from(content, 'base64')
    : Buffer.from(decodeURIComponent(content), 'utf8');
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return null;
  }
}
