import { storedExtension } from './ports/media/formats.js';

const PLAIN_ID = /^[A-Za-z0-9_-]+$/;
/**
 * An id, then the extension of a file, then characters that no id can have: the full stop, quote or bracket after a
 * link in a text, and the invisible characters that come along when it is copied.
 */
const ADDRESS = /^([A-Za-z0-9_-]+)(?:\.([A-Za-z0-9]{1,10}))?[^\p{L}\p{M}\p{N}\p{Cc}\p{Cn}\p{Co}\p{Cs}_-]*$/u;

/** What the last part of a link names. */
interface ItemAddress {
  readonly uniqueId: string;
  /** In lower case; null for none. */
  readonly extension: string | null;
}

/** Reads an id as it arrives in a followed link. Anything that cannot be one is returned unchanged. */
export function readAddress(text: string): ItemAddress {
  // Nearly every request ends here.
  if (PLAIN_ID.test(text)) return { uniqueId: text, extension: null };
  const [, uniqueId = text, extension = null] = ADDRESS.exec(text) ?? [];
  return { uniqueId, extension: extension?.toLowerCase() ?? null };
}

/** The id in a link to something that is no file; with an extension it is unchanged, and so is found nowhere. */
export function idIn(text: string): string {
  const { uniqueId, extension } = readAddress(text);
  return extension === null ? uniqueId : text;
}

/** Whether a file of this type (`jpg`) may be addressed with this extension. */
export const isOwnExtension = (type: string, extension: string): boolean =>
  extension === type || storedExtension(extension) === type;
