import type { Removal } from '../../metadata/policy.js';
import { counting } from '../../source.js';
import { uint32LE } from '../../words.js';
import { cleanCover, isSongName, isUnwantedTag } from './songs.js';

/** Size of the header and of the footer of an APE tag. */
export const APE_EDGE = 32;
const COVER = /^cover art \(/i;
const FLAGS = { header: 0xa0000000, footer: 0x80000000 } as const;

/** An APE tag (its items, without header and footer) with only the wanted ones, as a whole tag; empty if none is left. */
export async function wantedApe(items: Buffer, removal: Removal): Promise<Buffer> {
  const wanted: Buffer[] = [];
  const item = counting();
  for (let at = 0; at + 8 < items.length; ) {
    item();
    const keyEnd = items.indexOf(0, at + 8);
    if (keyEnd === -1) break;
    const end = keyEnd + 1 + items.readUInt32LE(at);
    const key = items.toString('latin1', at + 8, keyEnd);
    const value = await wantedValue(key, items.subarray(keyEnd + 1, end), removal);
    if (value !== null)
      wanted.push(Buffer.concat([uint32LE(value.length), items.subarray(at + 4, keyEnd + 1), value]));
    at = end;
  }
  if (wanted.length === 0) return Buffer.alloc(0);
  const body = Buffer.concat(wanted);
  return Buffer.concat([
    edge(body.length, wanted.length, FLAGS.header),
    body,
    edge(body.length, wanted.length, FLAGS.footer),
  ]);
}

async function wantedValue(key: string, value: Buffer, removal: Removal): Promise<Buffer | null> {
  if (isSongName(key)) return value;
  if (!COVER.test(key)) return isUnwantedTag(key, value, removal) ? null : value;
  const nameEnd = value.indexOf(0);
  const cover = await cleanCover(value.subarray(nameEnd + 1), removal);
  if (cover === null) return null;
  return removal === 'strip'
    ? Buffer.concat([Buffer.from([0]), cover])
    : Buffer.concat([value.subarray(0, nameEnd + 1), cover]);
}

function edge(bodySize: number, items: number, flags: number): Buffer {
  const bytes = Buffer.alloc(APE_EDGE);
  bytes.write('APETAGEX', 'latin1');
  bytes.writeUInt32LE(2000, 8);
  bytes.writeUInt32LE(bodySize + APE_EDGE, 12);
  bytes.writeUInt32LE(items, 16);
  bytes.writeUInt32LE(flags, 20);
  return bytes;
}
