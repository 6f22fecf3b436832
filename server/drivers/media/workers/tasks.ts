import type { EnclosedFile } from '../../../../routers/base/ports/mail/mail.js';
import type { SanitisedMail } from '../../../../routers/base/ports/mail/mail-services.js';
import type { ArchiveListing } from '../../../../routers/base/ports/media/archives.js';
import type {
  Exif,
  MediaFacts,
  PictureWords,
  RenditionFormat,
  RenditionRequest,
} from '../../../../routers/base/ports/media/media.js';
import type { PictureTool, ToolFormat } from '../../../../routers/base/ports/media/picture-tools.js';
import type { Coloured } from '../../highlight/colour.js';
import type { MailTaken, MailTask } from '../../mail/reading/tasks.js';
import type { Extracted } from '../archive/extract.js';
import type { ArchiveLimits } from '../archive/guard.js';

/** The tasks of a worker, with their arguments and results. */
export interface Tasks {
  /** Writes a rendition to `target` and returns its format. */
  rendition: { input: { path: string; target: string; request: RenditionRequest }; output: RenditionFormat };
  /** Writes a changed picture to `target` and returns its format. */
  pictureTool: { input: { path: string; target: string; change: PictureTool }; output: ToolFormat };
  thumbhash: { input: { path: string }; output: string };
  /** The EXIF fields of a picture. */
  exif: { input: { path: string }; output: Exif | null };
  /** The words of a document, by the extension under which it is stored. */
  documentWords: { input: { path: string; type: string }; output: string | null };
  /** The words of a picture with their places. */
  pictureWords: { input: { path: string; languages: readonly string[] }; output: PictureWords | null };
  /** Writes a JPEG to `target`. */
  poster: { input: { path: string; target: string }; output: null };
  /** Dimensions and duration of a video or audio file. */
  playback: { input: { path: string }; output: Partial<MediaFacts> };
  /** Unpacks the media files of an archive into a new folder. */
  unpack: { input: { path: string; folder: string; limits: ArchiveLimits }; output: Extracted };
  /** The names and sizes of what is in an archive. */
  list: { input: { path: string }; output: ArchiveListing };
  /** The HTML of a text in Markdown. */
  markdown: { input: { text: string }; output: string };
  /** The HTML of a Jupyter notebook. */
  notebook: { input: { text: string }; output: string };
  /** Highlights a text, if its language is known. */
  colour: { input: { text: string; language: string | null; name: string | null }; output: Coloured | null };
  /** What a mail says that came as a whole message or in a form. */
  mail: { input: MailTask; output: MailTaken };
  /** All files in a whole message; `cut` if there are more. */
  mailFiles: { input: { message: Buffer }; output: { files: readonly EnclosedFile[]; cut: boolean } };
  /** The HTML of a mail, sanitised. */
  mailHtml: { input: { html: string }; output: SanitisedMail };
  /** The words of HTML of any size. */
  mailWords: { input: { html: string; limit: number }; output: { text: string; cut: boolean } };
}

export type TaskName = keyof Tasks;

/** The first message of a worker: it takes tasks now. */
export const READY = 'ready';

/** One request to a worker. */
export type TaskRequest = { [Name in TaskName]: { name: Name; input: Tasks[Name]['input'] } }[TaskName];

/**
 * A worker's reply. `fault` is the code of an error on this machine (such as `ENOSPC` for a full disk), or null if
 * the file is to blame. `spent` means that the process must not be given another task.
 */
export type TaskReply = { readonly spent: boolean } & (
  | { readonly output: unknown }
  | { readonly error: string; readonly fault: string | null }
);

/** Runs a task in the worker; throws if the file cannot be decoded. */
export type TaskRunner<Name extends TaskName> = (
  input: Tasks[Name]['input'],
) => Promise<Tasks[Name]['output']>;
