/** What somebody without an account does before we create something for them. Implemented in `server/drivers/challenge/`. */

/** A task for a browser: find a `nonce` for which the hash of `{challenge}.{nonce}` begins with `bits` zero bits. */
export interface Task {
  /** Signed; nothing is stored until it is used. */
  readonly challenge: string;
  readonly bits: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** What a challenge can stand before, for people without an account. */
export const CHALLENGED_ACTIONS = ['reports', 'requests'] as const;
export type ChallengedAction = (typeof CHALLENGED_ACTIONS)[number];

/** A solved challenge. `onceAs` names it if the caller has to record that it was used; null if the provider does that. */
export interface Solved {
  readonly onceAs: string | null;
}

/** Tells people from programs. */
export interface Challenge {
  /** Makes a new task; null if only a provider hands out challenges. */
  readonly newTask: (() => Task) | null;
  /** Null for a wrong token. `address` is that of the client. Throws `ProviderDown`. */
  verify(token: string, address: string): Promise<Solved | null>;
}
