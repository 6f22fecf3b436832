import { ABILITIES, hasRank, isAdmin, isModerator, type Role } from '../../routers/roles.js';
import type { Assets } from './assets.js';

/** The signed-in user that a page is rendered for. */
export interface Viewer {
  readonly uid: number;
  readonly username: string;
  readonly role: Role;
  readonly avatar: string;
}

/** A short message at the top of a page: what was done, or why it failed. */
export interface Notice {
  readonly kind: 'done' | 'problem';
  readonly text: string;
}

/** What every page needs in addition to its own records. Built once per request. */
export interface Site {
  /** Scheme and host of links, from `BASE_URL`. */
  readonly origin: string;
  /** Path of this page, for the navigation. */
  readonly path: string;
  /** Path and query for returning to this page; the start page if the path only takes forms. */
  readonly address: string;
  /** The page answers a form, so opening its address does not show it again. */
  readonly answersForm: boolean;
  readonly assets: Assets;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly viewer: Viewer | null;
  readonly notice: Notice | null;
  readonly registration: 'invite' | 'closed' | 'open';
  readonly maxUploadBytes: number;
  /** The chat application with which users sign in; null if none is configured. */
  readonly chatapp: string | null;
  /** Through what mail is sent; null if it is only written to files. */
  readonly mailThrough: string | null;
}

/** Whether the viewer may use the administration pages. */
export function administers(viewer: Viewer | null): boolean {
  return viewer !== null && isAdmin(viewer.role);
}

/**
 * Whether to offer forms for creating something: not to guests, who can only read, but to visitors, who may sign in.
 */
export function mayMake(viewer: Viewer | null): boolean {
  return viewer === null || hasRank(viewer.role, ABILITIES.create);
}

/** Whether the viewer is this owner, and may change the item. */
export function owns(viewer: Viewer | null, owner: { readonly uid: number }): boolean {
  return viewer !== null && viewer.uid === owner.uid;
}

/** Whether the viewer may see and delete this owner's items, even private ones. */
export function manages(viewer: Viewer | null, owner: { readonly uid: number }): boolean {
  return viewer !== null && (owns(viewer, owner) || isModerator(viewer.role));
}
