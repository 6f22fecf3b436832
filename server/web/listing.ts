import type { Fields } from '../../rest-adapter/fields.js';
import { fail } from '../../routers/errors.js';
import { cutText } from '../../routers/text/cut.js';
import type { PageRequest } from './request.js';
import type { Viewer } from './site.js';

/** The page number of a list in the address, counted from 0. */
export function pageNumber(query: Fields): number {
  const text = query.text('page') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

/** The search text of a list. */
export const searchOf = (query: Fields): string => cutText(query.text('search') ?? '', 200);

/** The signed-in user; without one, the page redirects to sign-in. */
export function requireViewer({ site }: PageRequest): Viewer {
  return site.viewer ?? fail('UNAUTHENTICATED');
}
