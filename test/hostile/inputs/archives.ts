import { gzipSync } from 'node:zlib';
import { tar, zip } from '../../support/media/archive-fixtures.js';

/** An archive, and the expected result: the names of the extracted pictures, or null for a refusal. */
export interface HostileArchive {
  readonly bytes: Buffer;
  readonly holds: readonly string[] | null;
}

const BLOCK = 512;

/** A tar header with fields written as they are; the checksum is correct unless it is given. */
function tarHeader(
  name: string,
  {
    size = '0',
    type = '0',
    sum,
  }: { readonly size?: string | Buffer; readonly type?: string; readonly sum?: string },
): Buffer {
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0, 100, 'latin1');
  head.write('0000644\0', 100, 'latin1');
  if (typeof size === 'string') head.write(`${size.padStart(11, '0')}\0`, 124, 'latin1');
  else size.copy(head, 124);
  head.write('        ', 148, 'latin1');
  head.write(type, 156, 'latin1');
  head.write('ustar\u000000', 257, 'latin1');
  const right = head.reduce((total, byte) => total + byte, 0).toString(8);
  head.write(`${(sum ?? right).padStart(6, '0')}\0 `, 148, 'latin1');
  return head;
}

const padded = (data: Buffer) => Buffer.concat([data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)]);
const END = Buffer.alloc(2 * BLOCK);
const octal = (value: number) => value.toString(8);
/** A pax record, whose length includes itself. */
function pax(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(rest);
  return `${length + String(length + String(length).length).length}${rest}`;
}
const tarOf = (data: Buffer, ...before: Buffer[]) =>
  Buffer.concat([...before, tarHeader('a.png', { size: octal(data.length) }), padded(data), END]);
const extended = (type: string, content: string) => {
  const data = Buffer.from(content);
  return Buffer.concat([tarHeader('PaxHeader', { type, size: octal(data.length) }), padded(data)]);
};

/** Changes the little-endian number of `length` bytes at `offset` behind the last signature in a zip. */
function lying(bytes: Buffer, signature: string, offset: number, value: number, length: 2 | 4): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUIntLE(value, changed.lastIndexOf(signature, undefined, 'latin1') + offset, length);
  return changed;
}
const LOCAL = 'PK\x03\x04';
const CENTRAL = 'PK\x01\x02';
const TAIL = 'PK\x05\x06';

/**
 * Archives that lie in ways the format allows; plain bad names and links are covered by the tests of the
 * driver.
 */
export async function archives(png: Buffer): Promise<Readonly<Record<string, HostileArchive>>> {
  const good = { name: 'a.png', data: png };
  const whole = zip([good]);
  const plain = tarOf(png);
  const refused = (bytes: Buffer): HostileArchive => ({ bytes, holds: null });
  const holds = (bytes: Buffer, ...names: string[]): HostileArchive => ({ bytes, holds: names });
  let nested = whole;
  for (let depth = 0; depth < 20; depth += 1) nested = zip([{ name: 'inner.zip', data: nested }]);
  return {
    'a zip that says it is a zip64, and is not': refused(lying(whole, TAIL, 16, 0xffffffff, 4)),
    'a zip64 mark on sizes that has no sizes': refused(lying(whole, CENTRAL, 24, 0xffffffff, 4)),
    'more entries announced than there are': refused(lying(whole, TAIL, 10, 0xfffe, 2)),
    'fewer entries announced than there are': holds(
      lying(zip([good, { name: 'b.png', data: png }]), TAIL, 10, 1, 2),
      'a.png',
    ),
    'a directory that starts in the middle': refused(lying(whole, TAIL, 16, 7, 4)),
    'a directory beyond the end': refused(lying(whole, TAIL, 16, 0x7fffffff, 4)),
    'a comment longer than the file': refused(lying(whole, TAIL, 20, 0xffff, 2)),
    'an entry beyond the end': refused(lying(whole, CENTRAL, 42, 0x7fffffff, 4)),
    'an entry larger than the file': refused(lying(whole, CENTRAL, 20, 0x7fffffff, 4)),
    'a local name that is longer': refused(lying(whole, LOCAL, 26, 0xffff, 2)),
    'twenty zips in each other': refused(nested),
    'a zip behind a picture': refused(Buffer.concat([png, whole])),
    'a name of a device': holds(zip([{ name: 'con.png', data: png }]), 'con.png'),
    'a name that runs backwards': holds(zip([{ name: '\u202egnp.exe.png', data: png }]), 'gnp.exe.png'),
    'names that are the same in Unicode': holds(
      zip([
        { name: '\u00e9.png', data: png },
        { name: 'e\u0301.png', data: png },
      ]),
      '\u00e9.png',
      '\u00e9.png',
    ),
    'a name of a network folder': refused(zip([{ name: '\\\\host\\share\\a.png', data: png }])),
    'a name that is NUL': holds(zip([{ name: '\0.png', data: png }]), '.png'),
    'a name that is nothing': refused(zip([{ name: '\0', data: png }])),
    'a tar of a negative size': refused(
      Buffer.concat([tarHeader('a.png', { size: '-0000000001' }), padded(png), END]),
    ),
    'a tar of a negative binary size': refused(
      Buffer.concat([tarHeader('a.png', { size: Buffer.alloc(12, 0xff) }), padded(png), END]),
    ),
    'a tar of a binary size beyond all numbers': refused(
      Buffer.concat([
        tarHeader('a.png', { size: Buffer.concat([Buffer.from([0x80]), Buffer.alloc(11, 0x7f)]) }),
        padded(png),
        END,
      ]),
    ),
    'a tar whose size is no number': refused(
      Buffer.concat([tarHeader('a.png', { size: 'zzzzzzzzzzz' }), padded(png), END]),
    ),
    'a tar with a wrong sum': refused(
      Buffer.concat([plain.subarray(0, -END.length), tarHeader('b.png', { sum: '1' }), END]),
    ),
    'a pax path above the folder': refused(tarOf(png, extended('x', pax('path', '../../evil.png')))),
    // A header for all entries names none of them.
    'a pax path for everything': holds(tarOf(png, extended('g', pax('path', '/etc/evil.png'))), 'a.png'),
    'a pax link': refused(tarOf(png, extended('x', pax('linkpath', '/etc/passwd')))),
    'a pax size that is larger': refused(tarOf(png, extended('x', pax('size', '99999999999')))),
    'a pax size that is negative': refused(tarOf(png, extended('x', pax('size', '-1')))),
    'a pax record without an end': holds(tarOf(png, extended('x', '9999999 path=x')), 'x'),
    'a pax header of 100 MiB': refused(
      Buffer.concat([tarHeader('PaxHeader', { type: 'x', size: octal(100 * 1024 * 1024) }), plain]),
    ),
    'a long name of 100 KB': holds(tarOf(png, extended('L', `${'x'.repeat(100_000)}\0`)), 'x'.repeat(255)),
    'a sparse file': refused(
      Buffer.concat([tarHeader('a.png', { type: 'S', size: octal(png.length) }), padded(png), END]),
    ),
    'a kind of entry nobody knows': refused(
      Buffer.concat([tarHeader('a.png', { type: 'Z', size: octal(png.length) }), padded(png), END]),
    ),
    'two gzips, one after the other': holds(
      Buffer.concat([gzipSync(plain.subarray(0, 700)), gzipSync(plain.subarray(700))]),
      'a.png',
    ),
    'a gzip with noise behind it': holds(Buffer.concat([gzipSync(plain), Buffer.alloc(100)]), 'a.png'),
    'a gzip of a gzip': refused(gzipSync(gzipSync(plain))),
    'an xz': refused(Buffer.from('fd377a585a000004e6d6b446', 'hex')),
    'a 7z': refused(Buffer.from('377abcaf271c0004', 'hex')),
    'a rar': refused(Buffer.from('526172211a0701003392b5e5', 'hex')),
    'a bzip2 of nothing': refused(Buffer.from('425a683917724538509000000000', 'hex')),
    'a tar with two ends': holds(
      Buffer.concat([plain, await tar([{ name: 'b.png', data: png }])]),
      'a.png',
      'b.png',
    ),
  };
}
