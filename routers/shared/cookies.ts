/** The cookies Holdall sets (contract §4). */
export type CookieName =
  | 'session_token'
  | 'verify_token'
  | 'mailbox_token'
  | 'oauth_state'
  | 'sign_in'
  | 'opened_item'
  | 'theme';

/** A cookie to set; `value` null clears it. */
export interface CookieChange {
  readonly name: CookieName;
  readonly value: string | null;
  readonly maxAgeSeconds: number;
}
