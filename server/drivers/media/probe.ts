import type { MediaFacts } from '../../../routers/base/ports/media/media.js';
import type { Details, Format } from './formats/format.js';
import { driverOf } from './formats/index.js';
import { sniff } from './sniff.js';
import { type ByteSource, TooManyParts } from './source.js';

async function tagged(source: ByteSource): Promise<Format | null> {
  const format = await sniff(source);
  return driverOf(format.extension).id3Before === true ? format : null;
}

/**
 * Reads facts from the headers of a file, in this process and within microseconds. Never throws because of the
 * content. `name` is the file's: it only tells apart the types of one camera maker.
 */
export async function readFacts(source: ByteSource, name: string | null = null): Promise<MediaFacts> {
  const format = await sniff(source);
  const details = await detailsOf(source, format, name);
  return {
    width: null,
    height: null,
    durationMs: null,
    animated: false,
    ...format,
    ...details.format,
    ...without(details),
  };
}

/** Whether a video, or a sound with a cover, can have a poster: to look for one in every sound would cost too much. */
export async function mayHavePicture(source: ByteSource): Promise<boolean> {
  const { kind, extension } = await readFacts(source);
  if (kind !== 'audio') return true;
  try {
    return (await driverOf(extension).hasCover?.(source)) ?? false;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TooManyParts) return false;
    throw error;
  }
}

async function detailsOf(source: ByteSource, format: Format, name: string | null): Promise<Details> {
  try {
    return (await driverOf(format.extension).read?.(source, { name, tagged })) ?? {};
  } catch (error) {
    // Readers check lengths where it matters. If a damaged header still causes an error, the facts are missing.
    if (error instanceof RangeError || error instanceof TooManyParts) return {};
    throw error;
  }
}

function without({ format: _format, ...facts }: Details): Omit<Details, 'format'> {
  return facts;
}
