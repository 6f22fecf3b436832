import { type ByteSource, counting } from '../../source.js';
import { boxes, childrenOf, findBox, metaSkip } from '../iso/boxes.js';
import { leadingTagsEnd } from './id3.js';

/** A longer tag than this has a picture: there is not so much text. */
const WORDY_BYTES = 64 * 1024;
const FLAC_PICTURE = 6;

/** Whether there is a picture in the ID3 tags before a sound. */
export async function id3Cover(source: ByteSource): Promise<boolean> {
  const end = await leadingTagsEnd(source);
  if (end === 0) return false;
  return end > WORDY_BYTES || /APIC|PIC/.test((await source.read(0, end)).toString('latin1'));
}

/** Whether a FLAC file has a block with a picture, or a tag with one before it. */
export async function flacCover(source: ByteSource): Promise<boolean> {
  const block = counting();
  for (let at = (await leadingTagsEnd(source)) + 4, last = false; !last; ) {
    block();
    const head = await source.read(at, 4);
    if (head.length < 4) break;
    if ((head.readUInt8(0) & 0x7f) === FLAC_PICTURE) return true;
    last = head.readUInt8(0) >= 0x80;
    at += 4 + head.readUIntBE(1, 3);
  }
  return id3Cover(source);
}

/** Whether the comments at the start of an Ogg file contain a picture. */
export const oggCover = async (source: ByteSource): Promise<boolean> =>
  /METADATA_BLOCK_PICTURE/i.test((await source.read(0, WORDY_BYTES)).toString('latin1'));

/** Whether the tags of an M4A contain a cover. */
export async function m4aCover(source: ByteSource): Promise<boolean> {
  for await (const box of boxes(source, 0, source.size)) {
    const meta = box.type === 'moov' ? await findBox(source, box, 'udta', 'meta') : null;
    if (meta === null) continue;
    for await (const part of childrenOf(source, meta, await metaSkip(source, meta)))
      if (part.type === 'ilst' && (await findBox(source, part, 'covr')) !== null) return true;
  }
  return false;
}
