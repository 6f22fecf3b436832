import type { Fields } from '../../rest-adapter/fields.js';
import { cutText } from '../../routers/base/text/cut.js';
import type { Paged } from './records.js';

/** The page number of a list in the address, counted from 0. */
export const pageNumber = (query: Fields): number => placeIn(query, 'page');

/** A place in a list in the address, counted from 0. */
export function placeIn(query: Fields, name: string): number {
  const text = query.text(name) ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

/** So many files of a collection are on a page. */
export const FILES_ON_PAGE = 60;

/** The part of a collection that the page in the address shows. */
export const partAsked = (query: Fields) => ({ page: pageNumber(query), size: FILES_ON_PAGE });

/** The page of a collection that has the file at this position, counted from 0. */
export const pageWith = (position: number): number => Math.floor(position / FILES_ON_PAGE);

/** A part of a list. */
export interface Window {
  readonly page: number;
  readonly pageSize: number;
}

/** The search text of a list. */
export const searchOf = (query: Fields): string => cutText(query.text('search') ?? '', 200);

/** The search text and the page number of a list. */
export const listQuery = (query: Fields) => ({ search: searchOf(query), page: pageNumber(query) });

/** One of the choices of a filter; unknown values count as not set. */
export const choiceOf = <T extends string>(
  query: Fields,
  name: string,
  choices: readonly T[],
  otherwise: T,
): T => choices.find((choice) => choice === query.text(name)) ?? otherwise;

/** A page of a list as the API returns it. */
interface Listed<T> {
  readonly content: readonly T[];
  readonly totalElements: number;
  readonly currentPage: number;
  readonly pageSize: number;
}

/** The same page in the form that views need. */
export const paged = <T>(list: Listed<T>): Paged<T> => ({
  items: list.content,
  total: list.totalElements,
  page: list.currentPage,
  pageSize: list.pageSize,
});
