import type { Fields } from '../../../rest-adapter/fields.js';
import { cutText } from '../../../routers/base/text/cut.js';
import { choiceOf, searchOf, type Window } from '../listing.js';
import type { PageRequest } from '../request.js';

/** Orders that the list of links has. */
const LINK_SORTS = ['newest', 'oldest', 'views', 'name'] as const;

/** What the last look at the targets of links found; "" for anything. */
const LINK_HEALTHS = ['', 'broken', 'ok', 'unknown'] as const;

/** Characters of a tag that is asked for. */
export const MAX_TAG = 100;

/** The filter of the list of links in the address. */
export const linkFilterOf = (query: Fields) => ({
  search: searchOf(query),
  tag: cutText(query.text('tag') ?? '', MAX_TAG),
  sort: choiceOf(query, 'sort', LINK_SORTS, 'newest'),
  health: choiceOf(query, 'health', LINK_HEALTHS, ''),
  favourite: choiceOf(query, 'favourite', ['', 'true'], ''),
});

/** A part of the list of links with the filter in the address. */
export function linksAsked({ url }: PageRequest['call'], query: Fields, window: Window) {
  const { search, tag, sort, health, favourite } = linkFilterOf(query);
  return url.list({
    ...{ search, sort, ...window },
    health: health || null,
    favourite: favourite !== '',
    tags: tag === '' ? null : [tag],
  });
}
