import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ImportError } from '../port.js';

/** What opens a paste. */
export interface PasteLink {
  /** The key of its link, 32 bytes. */
  readonly key: Buffer;
  /** Empty if there is none. */
  readonly password: string;
}

const QUERY = /^(?:pasteid=)?([0-9a-f]{16})(?:&|$)/;
const FRAGMENT = /^-?([1-9A-HJ-NP-Za-km-z]{1,64})$/;
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const KEY_BYTES = 32;

/**
 * The links of a file, by the id of their paste: one in a line, with the password behind it, separated by a space, if
 * the paste has one. Throws an `ImportError` that names the line which is no link.
 */
export async function readLinks(path: string): Promise<ReadonlyMap<string, PasteLink>> {
  const links = new Map<string, PasteLink>();
  const lines = createInterface({
    input: createReadStream(path, 'utf8'),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  let number = 0;
  try {
    for await (const written of lines) {
      number += 1;
      const line = written.trim();
      if (line === '') continue;
      const space = line.indexOf(' ');
      const [address, password] = space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
      const { id, signs } = partsOf(address);
      const key = signs === undefined ? null : bytesOf(signs);
      if (id === undefined || key === null)
        throw new ImportError(`line ${number} of ${path} is not a link of PrivateBin: https://…/?ID#KEY`);
      links.set(id, { key, password });
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  return links;
}

/** The id and the signs of the key in a link; undefined for what is no link. */
function partsOf(address: string): { readonly id: string | undefined; readonly signs: string | undefined } {
  const [before = '', fragment = ''] = address.split('#', 2);
  const query = before.slice(before.indexOf('?') + 1);
  return { id: QUERY.exec(query)?.[1], signs: FRAGMENT.exec(fragment)?.[1] };
}

/** A key in base 58, with the zeros in front that writing it as a number has lost; null if it is too long. */
function bytesOf(signs: string): Buffer | null {
  let number = 0n;
  for (const sign of signs) number = number * 58n + BigInt(ALPHABET.indexOf(sign));
  const hex = number.toString(16);
  return hex.length > KEY_BYTES * 2 ? null : Buffer.from(hex.padStart(KEY_BYTES * 2, '0'), 'hex');
}
