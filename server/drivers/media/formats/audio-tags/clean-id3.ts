import { type Removal, revealsLocation } from '../../metadata/policy.js';
import { type Id3Frame, readId3, writeId3 } from './id3.js';
import { cleanCover } from './songs.js';

/** Title, artist, album, track, genre, lyrics …, of versions 2.3 and 2.4, and of 2.2. */
const SONG_FRAMES = new Set(
  (
    'TIT1 TIT2 TIT3 TPE1 TPE2 TPE3 TPE4 TALB TRCK TPOS TCON TCOM TEXT TBPM TKEY TLEN TCMP TSOA TSOP TSOT TSO2 TSOC ' +
    'TSST MVNM MVIN GRP1 USLT SYLT RVA2 RVAD RGAD TT1 TT2 TT3 TP1 TP2 TP3 TP4 TAL TRK TPA TCO TCM TXT TBP TKE TLE TCP ULT SLT RVA'
  ).split(' '),
);

/** An ID3v2 tag with only the wanted frames; empty if none is left. */
export async function wantedId3(tag: Buffer, removal: Removal): Promise<Buffer> {
  const { version, frames, isWhole } = readId3(tag);
  const wanted: Id3Frame[] = [];
  let same = removal === 'location' && isWhole;
  for (const frame of frames) {
    const made = await wantedFrame(frame, removal);
    if (made === null || !made.equals(frame.data)) same = false;
    if (made !== null) wanted.push({ id: frame.id, data: made });
  }
  return same ? tag : writeId3({ version, frames: wanted });
}

async function wantedFrame({ id, data }: Id3Frame, removal: Removal): Promise<Buffer | null> {
  if (id === 'APIC' || id === 'PIC') return wantedPicture(data, id === 'PIC', removal);
  if (SONG_FRAMES.has(id)) return data;
  return removal === 'strip' || revealsLocation(data) ? null : data;
}

/** A cover without its own metadata and, with `strip`, without its description. */
async function wantedPicture(data: Buffer, short: boolean, removal: Removal): Promise<Buffer | null> {
  const typeAt = short ? 4 : data.indexOf(0, 1) + 1;
  const wide = data[0] === 1 || data[0] === 2;
  let end = typeAt + 1;
  while (end < data.length && (data[end] !== 0 || (wide && data[end + 1] !== 0))) end += wide ? 2 : 1;
  const cover = await cleanCover(data.subarray(end + (wide ? 2 : 1)), removal);
  if (cover === null || typeAt === 0) return null;
  if (removal === 'location') return Buffer.concat([data.subarray(0, end + (wide ? 2 : 1)), cover]);
  return Buffer.concat([Buffer.from([0]), data.subarray(1, typeAt + 1), Buffer.from([0]), cover]);
}
