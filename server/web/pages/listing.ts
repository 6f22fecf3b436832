import type { Fields } from '../../../rest-adapter/fields.js';
import { fail } from '../../../routers/errors.js';
import type { PageRequest } from '../request.js';
import type { Viewer } from '../site.js';

/** The page of a list that an address asks for, counted from 0. */
export function pageNumber(query: Fields): number {
  const text = query.text('page') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

/** The words that a list is searched for. */
export const searchOf = (query: Fields): string => query.text('search')?.slice(0, 200) ?? '';

/** Who is signed in; a page for nobody else leads to the login page. */
export function requireViewer({ site }: PageRequest): Viewer {
  return site.viewer ?? fail('UNAUTHENTICATED');
}
