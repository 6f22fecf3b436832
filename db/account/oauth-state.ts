import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Why a browser is sent to the provider: to sign in here, or to link the account that is signed in. */
export type OauthIntent = 'login' | 'link';

/** A browser that was sent to the provider and is expected back. */
export interface OauthState {
  readonly intent: OauthIntent;
  /** The account to link; null for a login. */
  readonly userId: number | null;
  /** The verifier of the PKCE challenge, encrypted. */
  readonly verifierCipher: string;
}

/** Stores a browser's state and deletes expired ones. */
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

/** Deletes an account's pending link attempts. */
export async function deleteOauthStatesOf(trx: Queryable, userId: number): Promise<void> {
  await trx('oauth_states').where('user_id', userId).delete();
}

/** Takes a browser's state, once, if the state and cookie match and it has not expired; otherwise null. */
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
