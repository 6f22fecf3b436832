/** What matters about a cookie. */
interface CookieSpec {
  /** Says who a request acts for: one that brings it from another site is refused. */
  readonly authenticates: boolean;
  /** Needed when a provider redirects the browser back, where browsers do not send strict cookies. */
  readonly forReturn: boolean;
}

const AUTHENTICATES: CookieSpec = { authenticates: true, forReturn: false };
const HARMLESS: CookieSpec = { authenticates: false, forReturn: false };

/** Every cookie that Holdall sets or reads (contract §4). */
export const COOKIES = {
  session_token: AUTHENTICATES,
  verify_token: AUTHENTICATES,
  /** Names that begin like this one belong to it. */
  mailbox_token: AUTHENTICATES,
  oauth_state: { authenticates: true, forReturn: true },
  oidc_state: { authenticates: true, forReturn: true },
  /** Signs out at the provider; set when signing out here. */
  oidc_logout: { authenticates: false, forReturn: true },
  sign_in: { authenticates: true, forReturn: true },
  /** Set by front ends. */
  new_email: AUTHENTICATES,
  opened_item: HARMLESS,
  /** Set once somebody has dismissed the first steps. */
  first_steps: HARMLESS,
  /** Names that begin like this one belong to it: one for each pack that a browser has opened. */
  opened_pack: HARMLESS,
  theme: HARMLESS,
  /** How large the tiles of the library are. */
  tiles: HARMLESS,
} as const satisfies Record<string, CookieSpec>;

/** A cookie of this list, or that of one guest mailbox or of one opened pack. */
export type CookieName = keyof typeof COOKIES | `mailbox_token_${string}` | `opened_pack_${string}`;

/** What matters about a cookie with this name. */
export function specOf(name: CookieName): CookieSpec {
  if (isGuestCookie(name)) return COOKIES.mailbox_token;
  return isPackCookie(name) ? COOKIES.opened_pack : COOKIES[name];
}

const isPackCookie = (name: string): name is `opened_pack_${string}` => name.startsWith('opened_pack_');

const isGuestCookie = (name: string): name is `mailbox_token_${string}` => name.startsWith('mailbox_token_');

const authenticating: ReadonlySet<string> = new Set(
  Object.entries(COOKIES).flatMap(([name, { authenticates }]) => (authenticates ? [name] : [])),
);

/** Whether a cookie says who a request acts for. */
export const authenticates = (name: string): boolean => authenticating.has(name) || isGuestCookie(name);

/** A cookie to set; `value` null clears it. */
export interface CookieChange {
  readonly name: CookieName;
  /** Below which paths it is sent; everywhere by default. */
  readonly path?: string;
  readonly value: string | null;
  readonly maxAgeSeconds: number;
}
