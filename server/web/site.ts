import { ABILITIES, hasRank, isAdmin, isModerator, type Role } from '../../routers/roles.js';
import type { Assets } from './assets.js';

/** The signed-in person a page is rendered for. */
export interface Viewer {
  readonly uid: number;
  readonly username: string;
  readonly role: Role;
  readonly avatar: string;
}

/** A short message over a page: what has just been done, or why it was not. */
export interface Notice {
  readonly kind: 'done' | 'problem';
  readonly text: string;
}

/** What every page needs besides its own records. Built once a request. */
export interface Site {
  /** Scheme and host of links, from `BASE_URL`. */
  readonly origin: string;
  /** Path of this page, for the navigation. */
  readonly path: string;
  /** Path and query of this page, for coming back to it; the start for a path that takes forms alone. */
  readonly address: string;
  /** The page answers a form: going back to its address does not bring it again. */
  readonly answersForm: boolean;
  readonly assets: Assets;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly viewer: Viewer | null;
  readonly notice: Notice | null;
  readonly registration: 'invite' | 'closed' | 'open';
  readonly maxUploadBytes: number;
  /** Whether signing in through the linked chat application is configured. */
  readonly chatapp: boolean;
  /** How mail leaves; `outbox` writes files and sends nothing. */
  readonly mailTransport: 'outbox' | 'smtp' | 'mailgun';
}

/** Whether the viewer reaches the administration pages. */
export function administers(viewer: Viewer | null): boolean {
  return viewer !== null && isAdmin(viewer.role);
}

/** Whether forms that make something are of use: a guest only reads; who is not signed in yet may sign in. */
export function mayMake(viewer: Viewer | null): boolean {
  return viewer === null || hasRank(viewer.role, ABILITIES.create);
}

/** Whether this person is the viewer, who then may change what they made. */
export function owns(viewer: Viewer | null, owner: { readonly uid: number }): boolean {
  return viewer !== null && viewer.uid === owner.uid;
}

/** Whether the viewer sees and may delete what this person made, whatever its privacy. */
export function manages(viewer: Viewer | null, owner: { readonly uid: number }): boolean {
  return viewer !== null && (owns(viewer, owner) || isModerator(viewer.role));
}
