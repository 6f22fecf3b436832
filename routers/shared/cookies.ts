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
  sign_in: { authenticates: true, forReturn: true },
  /** Set by front ends. */
  new_email: AUTHENTICATES,
  opened_item: HARMLESS,
  theme: HARMLESS,
} as const satisfies Record<string, CookieSpec>;

export type CookieName = keyof typeof COOKIES;

const authenticating: ReadonlySet<string> = new Set(
  Object.entries(COOKIES).flatMap(([name, { authenticates }]) => (authenticates ? [name] : [])),
);

/** Whether a cookie says who a request acts for. */
export const authenticates = (name: string): boolean =>
  authenticating.has(name) || name.startsWith('mailbox_token' satisfies CookieName);

/** A cookie to set; `value` null clears it. */
export interface CookieChange {
  readonly name: CookieName;
  readonly value: string | null;
  readonly maxAgeSeconds: number;
}
