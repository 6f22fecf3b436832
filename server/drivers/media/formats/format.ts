import { FORMATS, type FormatName } from '../../../../routers/base/ports/media/formats.js';
import type { MediaFacts, RenditionFormat } from '../../../../routers/base/ports/media/media.js';
import type { ToolFormat } from '../../../../routers/base/ports/media/picture-tools.js';
import type { Plan } from '../edits.js';
import type { Cleaner } from '../metadata/policy.js';
import type { ByteSource } from '../source.js';
import type { Stream } from './mpeg-audio/read.js';

/** A file format as the record of a file names it. */
export type Format = Pick<MediaFacts, 'mimeType' | 'extension' | 'kind' | 'unidentified'>;

/** What a header says in addition to the format; missing values are unknown. */
export type Details = Partial<Omit<MediaFacts, keyof Format>> & {
  /** Set if a closer look shows a different format than the first bytes did. */
  readonly format?: Format;
};

/** What a reader may ask for besides the bytes. */
export interface Hints {
  /** The name of the file. */
  readonly name: string | null;
  /** The format of sound that programs put an ID3 tag before; null for anything else. */
  tagged(source: ByteSource): Promise<Format | null>;
}

/** How a picture is decoded, in a worker. This only names the decoder, so that the server does not load it. */
export interface Decoding {
  /** `libvips` alone, or what prepares the picture for it. */
  readonly by: 'libvips' | 'png' | 'heif' | 'svg' | 'ffmpeg';
  /** The loaders of libvips that it needs; all others are blocked. */
  readonly loaders: readonly string[];
  /** Whether the frames of an animation are decoded, too. */
  readonly frames?: true;
  /** Whether a damaged picture is refused, because nothing of it would be seen. */
  readonly whole?: true;
}

/** What can be done with a format. All but the decoder works on headers, in any process. */
export interface FormatDriver {
  /** Whether these are the first bytes of a file of `size` bytes. Without it, file-type recognises the format. */
  is?(head: Buffer, size: number): boolean;
  /** Facts from the headers. */
  read?(source: ByteSource, hints: Hints): Promise<Details>;
  /** Without it, files are stored as they were sent, and pictures without known blocks that name a place. */
  readonly clean?: Cleaner;
  /** Set if metadata may remain that the cleaner does not understand. */
  readonly cleansPartly?: true;
  /** How the index of a movie comes before its content; null if it does already. */
  indexFirst?(source: ByteSource): Promise<Plan | null>;
  /** Without it, the format is not rendered. */
  readonly decoding?: Decoding;
  /** The memory that the decoder needs for each pixel: 0 if it works row by row, null if nothing is known. */
  bytesPerPixel?(source: ByteSource): Promise<number | null>;
  /** The format of its renditions if none is requested; otherwise JPEG. */
  rendition?(animated: boolean): RenditionFormat;
  /** The format in which tools write it; otherwise PNG. */
  readonly tool?: ToolFormat;
  /** Whether sound probably contains a picture of its own; without it there is none. */
  hasCover?(source: ByteSource): Promise<boolean>;
  /** Set if only its frames say how long it sounds. */
  readonly stream?: Stream;
  /** How FFmpeg calls what reads it, if the tools for videos change it. */
  readonly demuxer?: string;
  /** Whether programs put an ID3 tag before it although it has tags of its own. */
  readonly id3Before?: true;
}

/** A listed format as the record of a file names it. */
export const named = (extension: FormatName): Format => {
  const { mimeType, kind } = FORMATS[extension];
  return { extension, mimeType, kind };
};

/** Width and height of an image stored as `width` x `height`, as shown with an EXIF orientation (1-8). */
export function displayed(width: number, height: number, orientation: number): Details {
  if (width <= 0 || height <= 0) return {};
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
