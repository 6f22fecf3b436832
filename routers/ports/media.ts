/** What the domain needs to look into media and to transform it. `server/media/` supplies it. */

/** What is known of a media file from its content alone. */
export interface MediaFacts {
  /** Type by content, never by name; `application/octet-stream` when unknown. */
  readonly mimeType: string;
  /** Lower-case extension of the stored format (`jpg`, never `jpeg`); `bin` when unknown, `txt` for text. */
  readonly extension: string;
  readonly kind: 'image' | 'video' | 'audio' | 'other';
  /** Pixels as displayed (orientation applied); null when not known. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly animated: boolean;
}

/** What of a file's embedded metadata is removed before it is stored. */
export type MetadataPolicy = 'strip' | 'location' | 'keep';

/** Renditions that `?width=` and `?format=` can ask for. */
export interface RenditionRequest {
  readonly width: number | null;
  readonly format: 'webp' | 'avif' | 'jpeg' | 'png' | null;
}

/**
 * Everything that looks into or transforms media. All work is bounded in time, memory and pixels, and a hostile
 * file cannot take the process down. Whatever decodes waits in a bounded line and throws `MediaBusy` past it.
 * Temporary files belong to the caller, who moves or removes them.
 */
export interface Media {
  /** Looks at content only; a damaged file yields fewer facts, never an error. `content` spares reading the file. */
  probe(path: string, content?: Buffer | null): Promise<MediaFacts>;
  /**
   * Removes metadata as the policy says, with pixels untouched where the format allows. Returns the path of
   * a new temporary file, or null when nothing had to change. Also moves the index of MP4/MOV to the front.
   * Throws `MediaUnsupported` when the file is built so that its metadata cannot be found.
   */
  clean(
    path: string,
    facts: MediaFacts,
    policy: MetadataPolicy,
    content?: Buffer | null,
  ): Promise<string | null>;
  /** Thumbhash (base64) of an image or poster; null when it cannot be decoded. */
  thumbhash(path: string): Promise<string | null>;
  /** A JPEG poster frame of a video as a temporary file; null when no frame can be decoded. */
  poster(path: string): Promise<string | null>;
  /** Makes a rendition as a temporary file; throws `MediaUnsupported` when the image cannot be decoded. */
  rendition(path: string, request: RenditionRequest): Promise<Rendition>;
  /**
   * The request that makes the same bytes as this one: its width is a step of the ladder (null: the widest).
   * Renditions are worth keeping under this name only.
   */
  canonical(request: RenditionRequest): RenditionRequest;
}

/** A rendition as a temporary file. */
export interface Rendition {
  readonly path: string;
  readonly mimeType: string;
  readonly extension: string;
}

/** The file cannot be decoded, or lies beyond the caps. */
export class MediaUnsupported extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MediaUnsupported';
  }
}

/** Too much media work waits already; the same request may succeed later. */
export class MediaBusy extends Error {
  constructor() {
    super('too much media work is waiting');
    this.name = 'MediaBusy';
  }
}
