import { MediaUnsupported } from '../../../../../routers/base/ports/media/media.js';
import { applied } from '../../edits.js';
import { type Cleaner, type Removal, revealsLocation } from '../../metadata/policy.js';
import { bufferSource } from '../../source.js';
import { cleanGif } from '../gif/clean.js';
import { isGif } from '../gif/read.js';
import { cleanJpeg } from '../jpeg/clean.js';
import { isJpeg } from '../jpeg/read.js';
import { cleanPng } from '../png/clean.js';
import { isPng } from '../png/read.js';
import { cleanWebp } from '../webp/clean.js';
import { isWebp } from '../webp/read.js';

/** What a listener sees of a song, in the words of Vorbis comments and APE tags. */
const SONG_NAMES =
  /^(title|subtitle|version|album|artists?|album ?artist|performer|composer|lyricist|conductor|genre|track|track(number|total)|totaltracks|disc|disc(number|total|subtitle)|totaldiscs|lyrics|unsynced ?lyrics|bpm|compilation|grouping|[a-z]+sort|replaygain_[a-z_]+|r128_[a-z_]+|mp3gain_[a-z_]+|waveformatextensible_channel_mask|chapter\d+(name)?)$/i;

/** Whether a tag of a song is not metadata about who recorded it, where and with what, but its title, artist, album … */
export const isSongName = (name: string): boolean => SONG_NAMES.test(name);

/** Whether a tag of a song is to be removed. */
export const isUnwantedTag = (name: string, value: Buffer, removal: Removal): boolean => {
  if (isSongName(name)) return false;
  return removal === 'strip' || revealsLocation(Buffer.concat([Buffer.from(`${name}=`), value]));
};

/** A cover without its metadata; null if it is no picture that can be cleaned. */
export async function cleanCover(picture: Buffer, removal: Removal): Promise<Buffer | null> {
  const cleaner = cleanerOf(picture);
  if (cleaner === null) return null;
  try {
    const source = bufferSource(picture);
    return await applied(source, await cleaner(source, removal));
  } catch (error) {
    if (error instanceof RangeError || error instanceof MediaUnsupported) return null;
    throw error;
  }
}

function cleanerOf(picture: Buffer): Cleaner | null {
  if (isJpeg(picture)) return cleanJpeg;
  if (isPng(picture)) return cleanPng;
  if (isGif(picture)) return cleanGif;
  return isWebp(picture) ? cleanWebp : null;
}
