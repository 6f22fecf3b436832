import type { FileFormat } from './formats.js';
import type { PictureTool, ToolResult } from './picture-tools.js';
import type { VideoTool } from './video-tools.js';

/** What the domain needs to inspect and transform media. Implemented in `server/drivers/media/`. */

/** Facts about a media file, from its content alone. */
export interface MediaFacts {
  /** Type by content, never by name; `application/octet-stream` if unknown. */
  readonly mimeType: string;
  /** Lower-case extension of the stored format (`jpg`, never `jpeg`); `bin` if unknown, `txt` for text. */
  readonly extension: string;
  readonly kind: FileFormat['kind'];
  /**
   * Set if nothing is known about the content: it may be media of a format that is not known here; `signed` if it
   * begins like a format that has a signature.
   */
  readonly unidentified?: 'signed' | 'unsigned';
  /** Pixels as displayed (orientation applied); null if unknown. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly animated: boolean;
}

/** Which embedded metadata is removed from a file before it is stored. */
export type MetadataPolicy = 'strip' | 'location' | 'keep';

/** A value of EXIF; instants as ISO 8601 in the camera's time. */
export type ExifValue = string | number | readonly number[];
/** What a picture still says of its camera, its time and its place, under the names of the EXIF standard. */
export type Exif = Readonly<Record<string, ExifValue>>;

/** A word in a picture, and where it is, in pixels of the picture as displayed. */
interface WordBox {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
/** The words in a picture: all of them as a text, and each with its place. */
export interface PictureWords {
  readonly text: string;
  readonly boxes: readonly WordBox[];
}

/**
 * What became of the metadata that the policy does not allow: all that is known was removed, some may remain because
 * the format is not understood well enough, or everything was kept as it was sent.
 */
export const METADATA_STATES = ['removed', 'mayRemain', 'kept'] as const;
export type MetadataState = (typeof METADATA_STATES)[number];

/** The formats of renditions. */
export const RENDITION_FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/**
 * A rendition as requested with `?width=` and `?format=`. A `preview` is a JPEG as link previews need it, of one size
 * and at most 300 kB; it has no other width.
 */
export interface RenditionRequest {
  readonly width: number | null;
  readonly format: RenditionFormat | 'preview' | null;
}

/**
 * Inspects and transforms media. All work is limited in time, memory and pixels, and a hostile file cannot
 * crash the process. Decoding waits in a bounded queue and throws `MediaBusy` if it is full. Temporary files
 * belong to the caller, who moves or removes them.
 */
export interface Media {
  /**
   * Inspects the content; a damaged file yields fewer facts, never an error. `content` saves reading the file, `name`
   * only tells apart the types of raw photographs of one camera maker.
   */
  probe(path: string, content?: Buffer | null, name?: string | null): Promise<MediaFacts>;
  /**
   * Removes metadata according to the policy, without changing pixels if the format allows it. Returns the
   * path of a new temporary file, or null if nothing had to change, and what became of the metadata. Also moves the
   * index of MP4/MOV to the front. Throws `MediaUnsupported` if the structure of the file makes its metadata impossible to find.
   */
  clean(path: string, facts: MediaFacts, policy: MetadataPolicy, content?: Buffer | null): Promise<Cleaned>;
  /** The EXIF fields of a picture by their names; null if it has none, or cannot be read. */
  exif(path: string): Promise<Exif | null>;
  /**
   * The words of a document, which is stored under this extension; null if it has none or cannot be read within its
   * limits.
   */
  documentWords(path: string, type: string): Promise<string | null>;
  /** The words in a picture, read by the models of these installed languages; null if it cannot be read within its limits. */
  pictureWords(path: string, languages: readonly string[]): Promise<PictureWords | null>;
  /** Thumbhash (base64) of an image or poster; null if it cannot be decoded. */
  thumbhash(path: string): Promise<string | null>;
  /** A JPEG of a frame of a video, or of the cover in a sound, as a temporary file; null if there is none. */
  poster(path: string): Promise<string | null>;
  /** Makes a rendition as a temporary file; throws `MediaUnsupported` if the image cannot be decoded. */
  rendition(path: string, request: RenditionRequest): Promise<Rendition>;
  /** Changes a picture; throws `MediaUnsupported` if it cannot be decoded or would become too large. */
  change(path: string, change: PictureTool): Promise<ToolResult>;
  /**
   * Changes a video or sound; null if this server cannot. Throws `MediaStopped` or `MediaUnsupported`, also when
   * `signal` ends the work.
   */
  readonly changeVideo:
    | ((path: string, facts: MediaFacts, change: VideoTool, signal: AbortSignal) => Promise<ToolResult>)
    | null;
  /** A copy of a file without its metadata, as `clean` with the policy `strip` makes it. */
  withoutMetadata(path: string, facts: MediaFacts): Promise<ToolResult>;
  /**
   * The normalised request with the same result: its width is a step of the ladder (null: the widest). Store
   * renditions only under this name.
   */
  canonical(request: RenditionRequest): RenditionRequest;
}

/** A file whose metadata follows the policy. */
interface Cleaned {
  /** A new temporary file; null if the original is fine. */
  readonly path: string | null;
  /** Null for what is no medium. */
  readonly metadata: MetadataState | null;
}

/** A rendition as a temporary file. */
export interface Rendition {
  readonly path: string;
  readonly mimeType: string;
  readonly extension: string;
}

/** The file cannot be decoded, or exceeds the limits. */
export class MediaUnsupported extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MediaUnsupported';
  }
}

/**
 * Why a file was not processed although it may be in order: it needs more time or memory than it may have, its result is
 * too large, it has no such stream, or this server cannot write the format.
 */
export class MediaStopped extends MediaUnsupported {
  constructor(readonly why: 'time' | 'memory' | 'size' | 'stream' | 'encoder') {
    super(`stopped: ${why}`);
    this.name = 'MediaStopped';
  }
}

/** Too much media work is queued; the same request may succeed later. */
export class MediaBusy extends Error {
  constructor() {
    super('too much media work is waiting');
    this.name = 'MediaBusy';
  }
}
