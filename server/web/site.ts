import type { I18n } from '../../routers/base/language/i18n.js';
import type { Language } from '../../routers/base/language/languages.js';
import type { ChallengedAction } from '../../routers/base/ports/challenge.js';
import type { OidcProvider } from '../../routers/base/ports/oidc.js';
import { ABILITIES, hasRank, isAdmin, isModerator, type Role } from '../../routers/base/roles.js';
import type { Branding } from '../../routers/core/branding/branding.js';
import { type Action, isAllowed } from '../../routers/core/policies.js';
import type { Settings, SignInWay } from '../../routers/core/settings.js';
import type { Assets } from './serving/assets.js';

/** The signed-in user that a page is rendered for. */
export interface Viewer {
  readonly uid: number;
  readonly username: string;
  readonly role: Role;
  readonly avatar: string;
  /** What they have chosen; null: as their browser asks. */
  readonly language: Language | null;
}

/** A short message at the top of a page: what was done, or why it failed. */
export interface Notice {
  readonly kind: 'done' | 'problem';
  /** The items that its "Undo" takes out of the trash, as `kind/id`; null for none. */
  readonly undo: string | null;
  /** Something was just created: its page offers the link to copy. */
  readonly created: boolean;
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
  /** What the operator has made of it. */
  readonly branding: Branding;
  /** The texts of the reader's language, for handlers; components say them by `t`. */
  readonly i18n: I18n;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly viewer: Viewer | null;
  readonly notice: Notice | null;
  readonly registration: Settings['registration'];
  /** Whether the installation waits for its first owner: every page leads to the one that creates it. */
  readonly unowned: boolean;
  readonly maxUploadBytes: number;
  /** Which types of files are accepted from the viewer, in words; null for all. */
  readonly acceptedTypes: string | null;
  /** The same for file inputs, as far as it can be said; undefined for all. */
  readonly accept: string | undefined;
  /** How long items live, in days: at most, and unless their creator says otherwise; null for without end. */
  readonly lives: { readonly maxExpiryDays: number | null; readonly defaultExpiryDays: number | null };
  /** The chat application with which users sign in; null if none is configured. */
  readonly chatapp: string | null;
  /** Whether visitors can make a mailbox here without an account. */
  readonly guestMailboxes: boolean;
  /** What visitors without an account have to solve a challenge for. */
  readonly challengeFor: readonly ChallengedAction[];
  /** The ways to sign in that are offered. */
  readonly signIn: {
    readonly ways: readonly SignInWay[];
    readonly providers: readonly Pick<OidcProvider, 'name' | 'label' | 'autoRegister'>[];
  };
  /** Through what mail is sent; null if it is only written to files. */
  readonly mailThrough: string | null;
  /** `HH:MM` (UTC) of when the demo begins anew; null if this is none. */
  readonly demoEnds: string | null;
}

/** Whether the viewer may decide about reports. */
export function moderates(viewer: Viewer | null): boolean {
  return viewer !== null && isModerator(viewer.role);
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

/** Whether the viewer may do this with what this account has, by the table of who may do what. */
export const viewerMay = (viewer: Viewer | null, action: Action, owner: { readonly uid: number }): boolean =>
  viewer !== null && isAllowed(action, viewer.role, viewer.uid === owner.uid);

/** Whether the viewer is this owner, and may change the item. */
export const owns = (viewer: Viewer | null, owner: { readonly uid: number }): boolean =>
  viewerMay(viewer, 'change', owner);

/** Whether the viewer may see and delete this owner's items, even private ones. */
export const manages = (viewer: Viewer | null, owner: { readonly uid: number }): boolean =>
  viewerMay(viewer, 'remove', owner);
