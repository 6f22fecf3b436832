import type { Fields } from '../../../rest-adapter/fields.js';
import { cutText } from '../../../routers/base/text/cut.js';
import { choiceOf, searchOf, type Window } from '../listing.js';
import type { ListedImage, Paged } from '../records.js';
import type { PageRequest } from '../request.js';

/** The filter of the library, as it is in the address. */
export interface LibraryFilter {
  readonly search: string;
  readonly kind: '' | 'image' | 'video' | 'audio' | 'other';
  readonly access: '' | 'public' | 'private' | 'password';
  readonly sort: 'newest' | 'oldest' | 'largest' | 'name';
  readonly favourite: '' | 'true';
  readonly tag: string;
  /** The collection for which the viewer chooses items, by its id. */
  readonly into: string;
}

/** The filter in the address; unknown values count as not set. */
export const filterOf = (query: Fields): LibraryFilter => ({
  search: searchOf(query),
  kind: choiceOf(query, 'kind', ['', 'image', 'video', 'audio', 'other'], ''),
  access: choiceOf(query, 'access', ['', 'public', 'private', 'password'], ''),
  sort: choiceOf(query, 'sort', ['newest', 'oldest', 'largest', 'name'], 'newest'),
  favourite: choiceOf(query, 'favourite', ['', 'true'], ''),
  tag: cutText(query.text('tag') ?? '', 100),
  into: query.text('into') ?? '',
});

/** The filter in the words of the procedures. */
export const askedOf = ({ search, kind, access, sort, favourite, tag }: LibraryFilter) => ({
  ...{ search, sort, tag },
  kind: kind || null,
  access: access || null,
  favourite: favourite !== '',
});

/** A part of the library with the filter in the address. */
export const libraryAsked = (
  { library }: PageRequest['call'],
  query: Fields,
  window: Window,
): Promise<Paged<ListedImage>> => library.images({ ...askedOf(filterOf(query)), ...window });
