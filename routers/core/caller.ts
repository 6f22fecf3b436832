import type { Language } from '../base/language/languages.js';
import type { Role } from '../base/roles.js';

/** The authenticated account of a request. */
export interface Caller {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly active: boolean;
  /** What the account has chosen for pages and mails; null: as its browser asks. */
  readonly language: Language | null;
  /** Whether a webhook receives this account's events. */
  readonly hasWebhook: boolean;
  /** Until when it may only read, epoch milliseconds or null for no end; null if it was never paused. */
  readonly pause: { readonly until: number | null } | null;
  /** Set if the credential was a session, not a key. */
  readonly sessionId: number | null;
  /** Set if the credential was a key. */
  readonly key: CallerKey | null;
}

interface CallerKey {
  readonly id: number;
  /** The key that an account has from its beginning; others have a name and are shown only once. */
  readonly isMain: boolean;
  /** The names of what it may do; null for everything that the account may do. */
  readonly scopes: readonly string[] | null;
  /** Whether it opens items with a stranger's rights only: it reads on behalf of a portal's visitor. */
  readonly asVisitor: boolean;
  /** Whether it may only add things, such as the key in the configuration of an upload tool. */
  readonly createOnly: boolean;
}

/** The credentials of a request. */
export interface Credentials {
  apiKey: string | null;
  /** What `Authorization` holds, which may be no key of ours; used only without a header or a live session. */
  authorized: readonly string[];
  /** The cookies `session_token`: several if some were set for another domain or by something else. Where none counts, there are none. */
  sessionTokens: readonly string[];
  /** A form field `key`; used only without any of the others. */
  formKey: string | null;
  /** A mailbox and its token, where they are shown as a user name and a password; used only without a caller. */
  mailbox: { readonly address: string; readonly token: string } | null;
}
