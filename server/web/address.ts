/**
 * Addresses that pages link to or load. They have no host, so that a page opened under another name than `BASE_URL`
 * still shows its pictures, and its content policy does not need to list that name.
 */
import type { Kind } from '../../routers/kinds.js';
import type { Site } from './site.js';

/** The page of an item. */
export const itemPath = (kind: Kind, uniqueId: string): string =>
  `/web/${kind}-render/${encodeURIComponent(uniqueId)}`;

/** The page that asks for confirmation before an item is deleted. */
export const deletePath = (kind: Kind, uniqueId: string): string =>
  `/web/delete/${kind}/${encodeURIComponent(uniqueId)}`;

/** The public page of a playlist. */
export const playlistPath = (uniqueId: string): string => `/web/playlist/${encodeURIComponent(uniqueId)}`;

/** The anchor of an item on the edit page of its playlist. */
export const entryAnchor = (imageId: string): string => `item-${imageId}`;

/** The edit page of a playlist. */
export const editorPath = (uniqueId: string): string => `/web/playlists/${encodeURIComponent(uniqueId)}`;

/** The page with the visits of a short link. */
export const visitsPath = (uniqueId: string): string => `/web/links/${encodeURIComponent(uniqueId)}`;

/** The page of a mailbox. */
export const mailboxPath = (email: string): string => `/web/mailboxes/${encodeURIComponent(email)}`;

/** The path and query of a URL of this service. */
export function here(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Adds query parameters; null values are omitted. */
export function withQuery(url: string, parameters: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
  if (query.size === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** The path of a list with its filter and page; empty values and 0 are omitted. */
export const listPath = (path: string, filter: Readonly<Record<string, string | number>>): string =>
  withQuery(
    path,
    Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, value ? String(value) : null])),
  );

/** A user's picture for pages: never from another site, which would learn who views the page. */
export function pictureOf(person: { readonly uid: number; readonly avatar: string }): string {
  const path = URL.canParse(person.avatar) ? here(person.avatar) : '';
  return path.startsWith('/v1/') ? path : `/v1/user/avatar/${person.uid}`;
}

/** A placeholder base where only paths matter. */
const HERE = 'http://localhost';

/** Return paths are sent in a response header, whose length clients limit. */
const MAX_RETURN_PATH = 2_000;

/**
 * The path that returns to a page: path and query, or only the path if that is too long. Omits `done` and `failed`,
 * because their notices have been shown.
 */
export function returnPath(path: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete('done');
  query.delete('failed');
  const whole = query.size === 0 ? path : `${path}?${query}`;
  return [whole, path].find(({ length }) => length <= MAX_RETURN_PATH) ?? '/';
}

/** The sign-in page that returns to this page. */
export function signInPath(site: Pick<Site, 'path' | 'address'>): string {
  // On the sign-in page itself, keep its return path.
  return site.path === '/web/login' ? site.address : `/web/login?next=${encodeURIComponent(site.address)}`;
}

/** A path of this site to continue to, from user input; "/" for one that leads elsewhere or is too long. */
export function safeNext(path: string | null | undefined): string {
  if (!path?.startsWith('/') || path.length > MAX_RETURN_PATH || !URL.canParse(path, HERE)) return '/';
  const url = new URL(path, HERE);
  // The path after browsers' handling of dots, tabs and backslashes; it must still not be "//elsewhere".
  const way = url.pathname + url.search;
  return url.origin === HERE && !way.startsWith('//') && way.length <= MAX_RETURN_PATH ? way : '/';
}
