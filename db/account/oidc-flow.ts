import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** A browser that was sent to a provider and is expected back. */
interface OidcFlow {
  readonly provider: string;
  /** The account to link; null for a sign-in. */
  readonly userId: number | null;
  /** What only we may know until it is back, encrypted. */
  readonly secretCipher: string;
}

/** Stores a browser's flow and deletes expired ones. */
export async function insertOidcFlow(
  trx: Queryable,
  flow: OidcFlow & { stateHash: string; cookieHash: string; expiresAt: number },
  at: number,
): Promise<void> {
  await trx('oidc_flows').where('expires_at', '<=', at).delete();
  await trx('oidc_flows').insert({
    state_hash: flow.stateHash,
    cookie_hash: flow.cookieHash,
    provider: flow.provider,
    user_id: flow.userId,
    secret_cipher: flow.secretCipher,
    expires_at: flow.expiresAt,
  });
}

/** Takes a browser's flow, once, if state and cookie match and it has not expired; otherwise null. */
export async function takeOidcFlow(
  trx: Queryable,
  stateHash: string,
  cookieHash: string,
  at: number,
): Promise<OidcFlow | null> {
  const [row] = await query<{ provider: string; user_id: number | null; secret_cipher: string }>(
    trx,
    `DELETE FROM oidc_flows WHERE state_hash = ? AND cookie_hash = ? AND expires_at > ?
     RETURNING provider, user_id, secret_cipher`,
    [stateHash, cookieHash, at],
  );
  return row === undefined
    ? null
    : { provider: row.provider, userId: row.user_id, secretCipher: row.secret_cipher };
}

/** Deletes an account's pending attempts to link. */
export async function deleteOidcFlowsOf(trx: Queryable, userId: number): Promise<void> {
  await trx('oidc_flows').where('user_id', userId).delete();
}
