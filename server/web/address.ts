/**
 * Addresses that pages lead to and load things from. They are written without a host: a page opened under another name
 * of this server than `BASE_URL` still shows its pictures, and its content policy need not know the name.
 */
import type { Kind } from '../../db/content.js';
import type { Site } from './site.js';

/** The page of an item. */
export const itemPath = (kind: Kind, uniqueId: string): string =>
  `/web/${kind}-render/${encodeURIComponent(uniqueId)}`;

/** The page that asks before it deletes an item. */
export const deletePath = (kind: Kind, uniqueId: string): string =>
  `/web/delete/${kind}/${encodeURIComponent(uniqueId)}`;

/** The page of a playlist, as everybody sees it. */
export const playlistPath = (uniqueId: string): string => `/web/playlist/${encodeURIComponent(uniqueId)}`;

/** The place of an item on the page that edits its playlist. */
export const entryAnchor = (imageId: string): string => `item-${imageId}`;

/** The page on which its owner changes a playlist. */
export const editorPath = (uniqueId: string): string => `/web/playlists/${encodeURIComponent(uniqueId)}`;

/** The visits of a short link. */
export const visitsPath = (uniqueId: string): string => `/web/links/${encodeURIComponent(uniqueId)}`;

/** The page of a mailbox. */
export const mailboxPath = (email: string): string => `/web/mailboxes/${encodeURIComponent(email)}`;

/** The path and query of an address of this service. */
export function here(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Adds parameters to an address; those that are null are left out. */
export function withQuery(url: string, parameters: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
  if (query.size === 0) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** A list as it is filtered and turned to a page; what is empty or 0 says nothing and is left out. */
export const listPath = (path: string, filter: Readonly<Record<string, string | number>>): string =>
  withQuery(
    path,
    Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, value ? String(value) : null])),
  );

/** A person's picture as pages show it: never one of another site, which would learn who looks. */
export function pictureOf(person: { readonly uid: number; readonly avatar: string }): string {
  const path = URL.canParse(person.avatar) ? here(person.avatar) : '';
  return path.startsWith('/v1/') ? path : `/v1/user/avatar/${person.uid}`;
}

/** Stands for this site where only paths count. */
const HERE = 'http://localhost';

/** Paths are led to in a header of the answer, which clients read up to a limit. */
const MAX_RETURN_PATH = 2_000;

/**
 * The way back to a page: its path and query, as much of it as is no longer than a way may be.
 * `done` and `failed` are left out: what they tell has been told.
 */
export function returnPath(path: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete('done');
  query.delete('failed');
  const whole = query.size === 0 ? path : `${path}?${query}`;
  return [whole, path].find(({ length }) => length <= MAX_RETURN_PATH) ?? '/';
}

/** The page that signs a visitor in and leads back to this one. */
export function signInPath(site: Pick<Site, 'path' | 'address'>): string {
  // The page for signing in is that page already, with where it leads.
  return site.path === '/web/login' ? site.address : `/web/login?next=${encodeURIComponent(site.address)}`;
}

/** A path of this site to go on to, from what a request says; "/" for what would lead away or is too long. */
export function safeNext(path: string | null | undefined): string {
  if (!path?.startsWith('/') || path.length > MAX_RETURN_PATH || !URL.canParse(path, HERE)) return '/';
  const url = new URL(path, HERE);
  // What remains when dots, tabs and backslashes are read as browsers do: it must be no "//elsewhere" then either.
  const way = url.pathname + url.search;
  return url.origin === HERE && !way.startsWith('//') && way.length <= MAX_RETURN_PATH ? way : '/';
}
