import type { MediaFacts, RenditionRequest } from '../../../routers/ports/media.js';
import type { Coloured } from '../../web/colour.js';
import type { Extracted } from '../archive/extract.js';
import type { ArchiveLimits } from '../archive/guard.js';

/** What a worker can be asked to do: the arguments of each task, and what it answers. */
export interface Tasks {
  /** Writes a rendition to `target` and returns the format it has chosen. */
  rendition: { input: { path: string; target: string; request: RenditionRequest }; output: RenditionFormat };
  thumbhash: { input: { path: string }; output: string };
  /** Writes a JPEG to `target`. */
  poster: { input: { path: string; target: string }; output: null };
  /** Dimensions and duration of a video or sound. */
  playback: { input: { path: string }; output: Partial<MediaFacts> };
  /** Unpacks the media files of an archive into a new folder. */
  unpack: { input: { path: string; folder: string; limits: ArchiveLimits }; output: Extracted };
  /** Colours a text, if it has a language. */
  colour: { input: { text: string; language: string | null }; output: Coloured | null };
}

export type TaskName = keyof Tasks;
export type RenditionFormat = 'webp' | 'avif' | 'jpeg' | 'png';

/** One request to a worker. */
export type TaskRequest = { [Name in TaskName]: { name: Name; input: Tasks[Name]['input'] } }[TaskName];

/**
 * A worker's answer. `fault` is the code of an error of this machine (`ENOSPC`, a full disk), and null when the file
 * is to blame.
 */
export type TaskReply =
  | { readonly output: unknown }
  | { readonly error: string; readonly fault: string | null };

/** Does one task in the worker; throws when the file cannot be decoded. */
export type TaskRunner<Name extends TaskName> = (
  input: Tasks[Name]['input'],
) => Promise<Tasks[Name]['output']>;
