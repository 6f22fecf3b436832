import type { ImageRecord } from '../../routers/features/image/record.js';
import type { Fields } from '../fields.js';

type Addressed = Pick<ImageRecord, 'urlSet'>;

/** The address that returns the bytes of a file; it ends in the extension where the type of the file has one. */
export const bytesUrl = ({ urlSet }: Addressed): string => urlSet.directUrl ?? urlSet.rawUrl;

/** A smaller picture of a file; the file itself if it has none. */
export const smallUrl = (file: ImageRecord, width: number): string =>
  file.urlSet.posterUrl ??
  (file.mimeType.startsWith('image/') && file.renderable !== false
    ? `${file.urlSet.rawUrl}?width=${width}`
    : bytesUrl(file));

/** `ID.ext`. */
export const nameOf = ({ uniqueId, type }: Pick<ImageRecord, 'uniqueId' | 'type'>): string =>
  `${uniqueId}.${type}`;

/** A page that deletes a file: with its secret, if this is its creator's answer, else for whoever is signed in as its owner. */
export const deletionPage = ({ uniqueId, urlSet }: Addressed & { readonly uniqueId: string }): string =>
  urlSet.deletionUrl ?? `${new URL(urlSet.webUrl).origin}/web/delete/image/${uniqueId}`;

/** The secret that deletes an item without a key; "" in answers to others than its creator. */
export const deletionToken = ({
  urlSet: { deletionUrl },
}: {
  readonly urlSet: { readonly deletionUrl?: string | undefined };
}): string => (deletionUrl === undefined ? '' : (new URL(deletionUrl).searchParams.get('token') ?? ''));

/** The title and the description of a form. */
export const titlesIn = (
  fields: Fields,
): readonly [title: string | undefined, description: string | undefined] => {
  const typed = fields.typed();
  return [typed.filled('title'), typed.filled('description')];
};

/** Title and description as one description: the title is its first line. */
export const captionOf = (title: string | undefined, description: string | undefined): string | undefined =>
  [title, description].filter((text) => text).join('\n') || undefined;

/** The first line of a description, and the rest; null for what is not there. */
export function titleIn(description: string | null): {
  readonly title: string | null;
  readonly description: string | null;
} {
  const [title = '', ...rest] = (description ?? '').split('\n');
  return { title: title || null, description: rest.join('\n') || null };
}
