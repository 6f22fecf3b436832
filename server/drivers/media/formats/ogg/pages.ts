import type { ByteSource } from '../../source.js';

/** One page of an Ogg stream. */
export interface OggPage {
  readonly start: number;
  readonly end: number;
  readonly bodyAt: number;
  readonly serial: number;
  /** Whether a new logical stream begins with this page. */
  readonly first: boolean;
  /** Lengths of the parts of packets in it; a packet ends with a part shorter than 255. */
  readonly lacing: Buffer;
}

const HEADER = 27;
const READ = 64 * 1024;
const MAGIC = Buffer.from('OggS');

/** The pages of an Ogg file in order, across bytes that are none. The last one may be truncated. */
export async function* oggPages(source: ByteSource): AsyncGenerator<OggPage> {
  for (let at = 0; ; ) {
    const head = await source.read(at, HEADER + 255);
    if (head.length < HEADER) return;
    if (!head.subarray(0, 4).equals(MAGIC)) {
      const bytes = await source.read(at, READ);
      const found = bytes.indexOf(MAGIC, 1);
      at += found === -1 ? Math.max(1, bytes.length - 3) : found;
      continue;
    }
    const lacing = head.subarray(HEADER, HEADER + head.readUInt8(26));
    const bodyAt = at + HEADER + head.readUInt8(26);
    const end = lacing.reduce((sum, part) => sum + part, bodyAt);
    const first = (head.readUInt8(5) & 2) !== 0;
    yield {
      start: at,
      end: Math.min(end, source.size),
      bodyAt,
      serial: head.readUInt32LE(14),
      first,
      lacing,
    };
    at = end;
  }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let sum = index << 24;
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ ((sum & 0x80000000) === 0 ? 0 : 0x04c11db7);
  return sum >>> 0;
});

/** Writes the checksum into the bytes of a page. */
export function sealPage(page: Buffer): void {
  page.writeUInt32LE(0, 22);
  let sum = 0;
  for (const byte of page) sum = ((sum << 8) ^ (TABLE[((sum >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  page.writeUInt32LE(sum, 22);
}
