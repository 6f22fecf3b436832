import type { Queryable } from './connect.js';
import { query } from './query.js';

/** What somebody wants of the provider: to sign in here, or to link the account they are signed in with. */
export type OauthIntent = 'login' | 'link';

/** A browser on its way to the provider and back. */
export interface OauthState {
  readonly intent: OauthIntent;
  /** Who links; null for a login. */
  readonly userId: number | null;
  /** The verifier of the PKCE challenge, encrypted. */
  readonly verifierCipher: string;
}

/** Remembers a browser; those whose time is over are forgotten. */
export async function insertOauthState(
  trx: Queryable,
  state: OauthState & { stateHash: string; cookieHash: string; expiresAt: number },
  at: number,
): Promise<void> {
  await trx('oauth_states').where('expires_at', '<=', at).delete();
  await trx('oauth_states').insert({
    state_hash: state.stateHash,
    cookie_hash: state.cookieHash,
    intent: state.intent,
    user_id: state.userId,
    verifier_cipher: state.verifierCipher,
    expires_at: state.expiresAt,
  });
}

/** Forgets the browsers on their way to link an account. */
export async function deleteOauthStatesOf(trx: Queryable, userId: number): Promise<void> {
  await trx('oauth_states').where('user_id', userId).delete();
}

/** Takes a browser's state when it brings the state and the cookie it was given, once and in time. */
export async function takeOauthState(
  trx: Queryable,
  stateHash: string,
  cookieHash: string,
  at: number,
): Promise<OauthState | null> {
  const [row] = await query<{ intent: OauthIntent; user_id: number | null; verifier_cipher: string }>(
    trx,
    `DELETE FROM oauth_states WHERE state_hash = ? AND cookie_hash = ? AND expires_at > ?
     RETURNING intent, user_id, verifier_cipher`,
    [stateHash, cookieHash, at],
  );
  return row === undefined
    ? null
    : { intent: row.intent, userId: row.user_id, verifierCipher: row.verifier_cipher };
}
