import type { Window } from '../engine/paging.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** A passkey of an account. */
export interface Passkey {
  readonly id: number;
  readonly userId: number;
  /** Base64url, as browsers send it. */
  readonly credentialId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** The last known count of its signatures; 0 if it does not count. */
  readonly counter: number;
  /** How browsers reach it, in their words. */
  readonly transports: readonly string[];
  /** Whether it exists on other devices of its holder, too. */
  readonly backedUp: boolean;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly lastUsedIp: string | null;
}

interface Row {
  id: number;
  user_id: number;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string;
  backed_up: boolean | number;
  name: string;
  created_at: number;
  last_used_at: number | null;
  last_used_ip: string | null;
}

const fromRow = (row: Row): Passkey => ({
  id: row.id,
  userId: row.user_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: json<string[]>(row.transports),
  backedUp: Boolean(row.backed_up),
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  lastUsedIp: row.last_used_ip,
});

/** The passkey with this credential id; null if none is known. */
export async function passkeyByCredential(db: Queryable, credentialId: string): Promise<Passkey | null> {
  const row: Row | undefined = await db('passkeys').where('credential_id', credentialId).first();
  return row === undefined ? null : fromRow(row);
}

/** A section of an account's passkeys, newest first. */
export async function passkeysOf(
  db: Queryable,
  userId: number,
  { offset, limit }: Window,
): Promise<Passkey[]> {
  const found: Row[] = await db('passkeys')
    .where('user_id', userId)
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit);
  return found.map(fromRow);
}

/** How many passkeys an account has. */
export async function countPasskeys(db: Queryable, userId: number): Promise<number> {
  const row = await db('passkeys').where('user_id', userId).count({ count: '*' }).first();
  return Number(row?.count ?? 0);
}

/** Stores a passkey; violates a unique index if it is known. */
export async function insertPasskey(
  trx: Queryable,
  passkey: Omit<Passkey, 'id' | 'lastUsedAt' | 'lastUsedIp'>,
): Promise<Passkey> {
  const [row]: Row[] = await trx('passkeys')
    .insert({
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: JSON.stringify(passkey.transports),
      backed_up: passkey.backedUp,
      name: passkey.name,
      created_at: passkey.createdAt,
    })
    .returning('*');
  if (row === undefined) throw new Error('a passkey was not stored');
  return fromRow(row);
}

/**
 * Records a use with its count of signatures; false if the count has not grown, as that of a copy does not, or if the
 * passkey is gone. One of several concurrent callers with the same count gets true.
 */
export async function countUseOfPasskey(
  trx: Queryable,
  id: number,
  use: {
    readonly counter: number;
    readonly at: number;
    readonly address: string;
    readonly backedUp: boolean;
  },
): Promise<boolean> {
  const grown = trx('passkeys')
    .where('id', id)
    .andWhere((row) =>
      use.counter === 0 ? row.where('counter', 0) : row.where('counter', '<', use.counter),
    );
  const changed = await grown.update({
    counter: use.counter,
    backed_up: use.backedUp,
    last_used_at: use.at,
    last_used_ip: use.address,
  });
  return changed > 0;
}

/** Renames a passkey of an account; null if it has no such passkey. */
export async function renamePasskey(
  trx: Queryable,
  userId: number,
  id: number,
  name: string,
): Promise<Passkey | null> {
  await trx('passkeys').where({ user_id: userId, id }).update({ name });
  const row: Row | undefined = await trx('passkeys').where({ user_id: userId, id }).first();
  return row === undefined ? null : fromRow(row);
}

/** Removes a passkey of an account and returns its name; null if it has no such passkey. */
export async function deletePasskey(trx: Queryable, userId: number, id: number): Promise<string | null> {
  const row: Row | undefined = await trx('passkeys').where({ user_id: userId, id }).first();
  const removed = await trx('passkeys').where({ user_id: userId, id }).delete();
  return removed > 0 ? (row?.name ?? null) : null;
}

/** Removes every passkey of an account; returns how many there were. */
export async function deletePasskeysOf(trx: Queryable, userId: number): Promise<number> {
  return trx('passkeys').where('user_id', userId).delete();
}

/** Remembers that a challenge was answered and forgets expired ones; false if it was answered before. */
export async function takeChallenge(
  trx: Queryable,
  challengeHash: string,
  expiresAt: number,
  at: number,
): Promise<boolean> {
  await trx('passkey_answers').where('expires_at', '<=', at).delete();
  const taken = await query(
    trx,
    `INSERT INTO passkey_answers (challenge_hash, expires_at) VALUES (?, ?)
     ON CONFLICT (challenge_hash) DO NOTHING RETURNING challenge_hash`,
    [challengeHash, expiresAt],
  );
  return taken.length > 0;
}
