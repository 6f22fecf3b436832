import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from '../../port.js';

/** What a dump says of itself in its beginning. */
export interface Dump {
  /**
   * Its bytes as UTF-8, in pieces, each byte as one character: names and signs of SQL can be told apart in them, and raw
   * bytes of files stay what they are.
   */
  pieces(): AsyncIterable<string>;
  /** Whether a backslash in quotes escapes what follows, as in MySQL, but neither in PostgreSQL nor in SQLite. */
  readonly escapes: boolean;
  /** The line that its program writes in the end; null if it writes none. */
  readonly end: RegExp | null;
}

const HEAD_BYTES = 256 * 1024;
const PIECE_BYTES = 1024 * 1024;

/** Opens a dump, packed with gzip or not, in any charset that it names or begins with. Throws `ImportError`. */
export async function openDumpFile(path: string): Promise<Dump> {
  const isPacked = (await beginningOf(path, 2)).equals(Buffer.from([0x1f, 0x8b]));
  const head = await headOf(path, isPacked);
  const [what] = FOREIGN.find(([, sign]) => head.subarray(0, sign.length).equals(sign)) ?? [];
  if (what !== undefined) throw new ImportError(`${path} ${what}`);
  const charset = charsetOf(head, path);
  const said = charset.startsWith('utf-16') ? new TextDecoder(charset).decode(head) : head.toString('latin1');
  const isPostgres = /PostgreSQL database dump|standard_conforming_strings|client_encoding/.test(said);
  return {
    pieces: () => piecesOf(path, isPacked, charset),
    escapes: !isPostgres && !/^[ \t]{0,9}(?:PRAGMA foreign_keys|BEGIN TRANSACTION)/im.test(said),
    end: isPostgres
      ? /^-- PostgreSQL database dump$/m.test(said)
        ? /^-- PostgreSQL database dump complete/m
        : null
      : /^(?:\uFEFF|ï»¿)?-- (?:MySQL|MariaDB) dump /m.test(said)
        ? /^-- Dump completed/m
        : null,
  };
}

/** What is given by mistake, by its first bytes. */
const FOREIGN: readonly (readonly [string, Buffer])[] = [
  [
    'is in the custom format of pg_dump: write it with `pg_dump --format=plain`, or give the postgres:// address of the database',
    Buffer.from('PGDMP'),
  ],
  ['is a packed SQLite file: unpack it first', Buffer.from('SQLite format 3\0')],
  ['is a zip archive: unpack it first', Buffer.from('PK\u0003\u0004')],
];

async function beginningOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r').catch((cause: Error) => {
    throw new ImportError(`${path} cannot be read: ${cause.message}`, { cause });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw new ImportError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  } finally {
    await file.close();
  }
}

async function headOf(path: string, isPacked: boolean): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of bytesOf(path, isPacked)) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

async function* bytesOf(path: string, isPacked: boolean): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: PIECE_BYTES });
  const source: Readable = isPacked ? file.pipe(createGunzip({ chunkSize: PIECE_BYTES })) : file;
  file.on('error', (error) => source.destroy(error));
  try {
    for await (const part of source) yield part;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === undefined) throw cause;
    throw new ImportError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  } finally {
    source.destroy();
    file.destroy();
  }
}

/** Charsets of MySQL and PostgreSQL that the encoding standard calls otherwise. */
const CHARSETS: Readonly<Record<string, string>> = {
  ...{
    utf8: 'utf-8',
    utf8mb3: 'utf-8',
    utf8mb4: 'utf-8',
    binary: 'utf-8',
    ascii: 'utf-8',
    sql_ascii: 'utf-8',
  },
  ...{ latin1: 'windows-1252', win1252: 'windows-1252', latin2: 'iso-8859-2', latin5: 'iso-8859-9' },
  ...{ latin7: 'iso-8859-13', latin9: 'iso-8859-15', greek: 'iso-8859-7', hebrew: 'iso-8859-8' },
  ...{ sjis: 'shift_jis', cp932: 'shift_jis', ujis: 'euc-jp', eucjpms: 'euc-jp', euckr: 'euc-kr' },
  ...{
    gb2312: 'gbk',
    koi8r: 'koi8-r',
    koi8u: 'koi8-u',
    tis620: 'windows-874',
    utf16: 'utf-16be',
    utf16le: 'utf-16le',
  },
};

/** The charset of a dump: that of its byte order mark, or the one that it sets for its reader, or UTF-8. */
function charsetOf(head: Buffer, path: string): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const [, named] =
    /^(?:\/\*!\d*\s*)?SET\s+(?:NAMES|client_encoding\s*(?:=|TO))\s*['"]?([\w-]+)/im.exec(
      head.toString('latin1'),
    ) ?? [];
  if (named === undefined) return 'utf-8';
  const name = named.toLowerCase();
  const charset = CHARSETS[name] ?? name.replace(/^(?:cp|win)(?=125\d$)/, 'windows-');
  try {
    return new TextDecoder(charset).encoding;
  } catch (cause) {
    throw new ImportError(`${path} is in ${named}, which is not known: write it as UTF-8`, { cause });
  }
}

async function* piecesOf(path: string, isPacked: boolean, charset: string): AsyncGenerator<string> {
  const decoder = charset === 'utf-8' ? null : new TextDecoder(charset);
  let isFirst = true;
  for await (const part of bytesOf(path, isPacked)) {
    const bytes = decoder === null ? part : Buffer.from(decoder.decode(part, { stream: true }), 'utf8');
    const marked = isFirst && bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]));
    isFirst = false;
    yield bytes.toString('latin1', marked ? 3 : 0);
  }
}
