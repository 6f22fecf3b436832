import type { Fields } from '../../rest-adapter/fields.js';
import { fail } from '../../routers/errors.js';
import { cutText } from '../../routers/text/cut.js';
import type { Paged } from './records.js';
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

/** A page of a list as the API returns it. */
interface Listed<T> {
  readonly content: readonly T[];
  readonly totalElements: number;
  readonly currentPage: number;
  readonly pageSize: number;
}

/** The same page in the form that views need. */
export const paged = <T, R>(list: Listed<T>, entry: (item: T) => R): Paged<R> => ({
  items: list.content.map(entry),
  total: list.totalElements,
  page: list.currentPage,
  pageSize: list.pageSize,
});
