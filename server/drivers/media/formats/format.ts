import type { MediaFacts } from '../../../../routers/ports/media.js';

/** A file format as Holdall names it. */
export type Format = Pick<MediaFacts, 'mimeType' | 'extension' | 'kind' | 'unidentified'>;

/** What a header says in addition to the format; missing values are unknown. */
export type Details = Partial<Omit<MediaFacts, keyof Format>> & {
  /** Set if a closer look shows a different format than the first bytes did. */
  readonly format?: Format;
};

export const image = (extension: string, mimeType = `image/${extension}`): Format => ({
  extension,
  mimeType,
  kind: 'image',
});
export const video = (extension: string, mimeType = `video/${extension}`): Format => ({
  extension,
  mimeType,
  kind: 'video',
});
export const audio = (extension: string, mimeType = `audio/${extension}`): Format => ({
  extension,
  mimeType,
  kind: 'audio',
});

/** Width and height of an image stored as `width` x `height`, as shown with an EXIF orientation (1-8). */
export function displayed(width: number, height: number, orientation: number): Details {
  if (width <= 0 || height <= 0) return {};
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
