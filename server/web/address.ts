/**
 * Addresses that pages link to or load. They have no host, so that a page opened under another name than `BASE_URL`
 * still shows its pictures, and its content policy does not need to list that name.
 */
import type { Kind, OwnedKind } from '../../routers/base/kinds.js';
import { MAX_LOCAL_PATH } from '../../routers/base/local-path.js';
import { inPath } from '../../routers/base/slug.js';
import type { Site } from './site.js';

/**
 * Where a form posts, as its attribute; undefined for the page that it is on, because browsers then keep what is behind
 * the #: the key of something sealed.
 */
export const actionFrom = ({ address }: { readonly address: string }, action: string): string | undefined =>
  address === action ? undefined : action;

/** The page of an item. */
export const itemPath = (kind: Kind, uniqueId: string): string => `/web/${kind}-render/${inPath(uniqueId)}`;

/** The page that asks for confirmation before an item is deleted. */
export const deletePath = (kind: Kind, uniqueId: string): string =>
  `/web/delete/${kind}/${encodeURIComponent(uniqueId)}`;

/** The page on which its owner edits an item. */
export const editPath = (kind: Kind, uniqueId: string): string =>
  `/web/edit/${kind}/${encodeURIComponent(uniqueId)}`;

/** Where its owner chooses whether to be told that something was opened. */
export const notifyPath = (kind: OwnedKind, uniqueId: string): string =>
  `/web/notify/${kind}/${encodeURIComponent(uniqueId)}`;

/** Where something is marked as a favourite of its owner. */
export const favouritePath = (kind: OwnedKind, uniqueId: string): string =>
  `/web/favourite/${kind}/${encodeURIComponent(uniqueId)}`;

/** The page with the share links of something, for its owner. */
export const sharePath = (kind: OwnedKind, uniqueId: string): string =>
  `/web/share-links/${kind}/${encodeURIComponent(uniqueId)}`;

/** The page of what a paste was. */
export const revisionsPath = (uniqueId: string): string =>
  `/web/paste-revisions/${encodeURIComponent(uniqueId)}`;

/** The anchor of a file on the owner's page of its collection. */
export const entryAnchor = (imageId: string): string => `item-${imageId}`;

/** The anchor of an item in a gallery. */
export const tileAnchor = (imageId: string): string => `tile-${imageId}`;

/** The library, to choose what is added to a collection. */
export const libraryInto = (uniqueId: string): string => `/web/library?into=${encodeURIComponent(uniqueId)}`;

/** The page of a collection, as others see it. */
export const collectionPath = (uniqueId: string): string => `/web/collection/${encodeURIComponent(uniqueId)}`;

/** The owner's page of a collection. */
export const collectionEditorPath = (uniqueId: string): string =>
  `/web/collections/${encodeURIComponent(uniqueId)}`;

/** The collections of others that are shared with the viewer. */
export const SHARED_WITH_ME = '/web/shared-with-me';

/** The owner's page of a request link. */
export const requestOwnerPath = (uniqueId: string): string => `/web/requests/${encodeURIComponent(uniqueId)}`;

/** The page of a request link, for guests. */
export const requestPath = (uniqueId: string): string => `/web/request/${encodeURIComponent(uniqueId)}`;

/** The page with the visits of a short link. */
export const visitsPath = (uniqueId: string): string => `/web/links/${encodeURIComponent(uniqueId)}`;

/** The page with the rules and parts of a short link. */
export const wayPath = (uniqueId: string): string => `${visitsPath(uniqueId)}/rules`;

/** The page with the views of a file or a paste. */
export const viewsPath = (kind: 'image' | 'paste', uniqueId: string): string =>
  `/web/views/${kind}/${encodeURIComponent(uniqueId)}`;

/** The page of a mailbox. */
export const mailboxPath = (email: string): string => `/web/mailboxes/${encodeURIComponent(email)}`;

/** The page of its settings. */
export const mailboxSettingsPath = (email: string): string => `${mailboxPath(email)}/settings`;

/** The page of what a mailbox does with its mail. */
export const mailRulesPath = (email: string): string => `${mailboxPath(email)}/rules`;

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

/** Where a page goes after its viewer has deleted things of their own (`kind/id`): the trash has them, or they are gone. */
export const afterDeletion = (url: string, trashDays: number, deleted: readonly string[]): string =>
  withQuery(url, trashDays > 0 ? { done: 'trashed', undo: deleted.join(',') || null } : { done: 'deleted' });

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

/**
 * The path that returns to a page: path and query, or only the path if that is too long. Omits `done` and `failed`,
 * because their notices have been shown.
 */
export function returnPath(path: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete('done');
  query.delete('failed');
  query.delete('undo');
  const whole = query.size === 0 ? path : `${path}?${query}`;
  return [whole, path].find(({ length }) => length <= MAX_LOCAL_PATH) ?? '/';
}

/** The sign-in page that returns to this page. */
export function signInPath(site: Pick<Site, 'path' | 'address'>): string {
  // On the sign-in page itself, keep its return path.
  return site.path === '/web/login' ? site.address : `/web/login?next=${encodeURIComponent(site.address)}`;
}
