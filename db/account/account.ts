import type { Db } from '../engine/connect.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { Role } from './role.js';

/** Whether the address of an account is verified, and whether an administrator has yet to let it in. */
export const USER_STATUSES = ['PENDING', 'WAITING', 'ACTIVE'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** An account. The role says whether it is banned or deleted. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly status: UserStatus;
  /** URL of an external picture. */
  readonly avatar: string | null;
  /** The uploaded picture. */
  readonly avatarSha256: string | null;
  readonly invitedBy: number | null;
  readonly socials: Readonly<Record<string, string>>;
  readonly urlSettings: Readonly<Record<string, string>>;
  readonly embedSettings: Readonly<Record<string, unknown>>;
  /** Which embedded metadata is removed from files: `strip`, `location` or `keep`. */
  readonly metadataPolicy: string;
  /** Whether words in its pictures are read where that is on. */
  readonly ocr: boolean;
  /** The language chosen for pages and mails; null: as the browser asks. */
  readonly language: string | null;
  readonly createdAt: number;
}

type NewUser = Pick<
  User,
  'username' | 'email' | 'passwordHash' | 'role' | 'status' | 'invitedBy' | 'createdAt'
>;

/** A row of the table. */
export interface UserRow {
  id: number;
  username: string;
  email: string;
  password_hash: string;
  role: Role;
  status: UserStatus;
  avatar: string | null;
  avatar_sha256: string | null;
  invited_by: number | null;
  socials: string;
  url_settings: string;
  embed_settings: string;
  metadata_policy: string;
  ocr: boolean | number;
  language: string | null;
  created_at: number;
}

/** The account of a row. */
export const userFromRow = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  passwordHash: row.password_hash,
  role: row.role,
  status: row.status,
  avatar: row.avatar,
  avatarSha256: row.avatar_sha256,
  invitedBy: row.invited_by,
  socials: json(row.socials),
  urlSettings: json(row.url_settings),
  embedSettings: json(row.embed_settings),
  metadataPolicy: row.metadata_policy,
  ocr: Boolean(row.ocr),
  language: row.language,
  createdAt: row.created_at,
});

/** The form in which usernames and addresses are compared. */
export const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * The ids of deleted accounts whose removal is in progress. Every lookup excludes what they own, so that it
 * becomes inaccessible the moment an account is deleted (docs/adr/0011). A partial index holds only these.
 */
export const DELETED_USERS = "(SELECT id FROM users WHERE role = 'DELETED')";

/** Accounts by id, in any order; unknown and deleted ones are left out. */
export async function usersByIds(db: Db, ids: readonly number[]): Promise<User[]> {
  const found = await query<UserRow>(
    db.read,
    `SELECT * FROM users WHERE ${db.dialect.inNumbers('id')} AND role <> 'DELETED'`,
    [JSON.stringify(ids)],
  );
  return found.map(userFromRow);
}

/** The account with this address (any case), or null. */
export async function userByEmail(db: Queryable, email: string): Promise<User | null> {
  const row: UserRow | undefined = await db('users').where('email_key', foldCase(email)).first();
  return row === undefined ? null : userFromRow(row);
}

/** The account with this username (any case), or null. */
export async function userByUsername(db: Queryable, username: string): Promise<User | null> {
  const row: UserRow | undefined = await db('users').where('username_key', foldCase(username)).first();
  return row === undefined ? null : userFromRow(row);
}

/** The account with this id as the transaction sees it, or null. */
export async function userById(trx: Queryable, id: number): Promise<User | null> {
  const row: UserRow | undefined = await trx('users').where('id', id).first();
  return row === undefined ? null : userFromRow(row);
}

/** Reads an account inside a write and locks it until the commit. Null if unknown. */
export async function lockUser(db: Db, trx: Queryable, id: number): Promise<User | null> {
  const [row] = await query<UserRow>(trx, `SELECT * FROM users WHERE id = ? ${db.dialect.forUpdate}`, [id]);
  return row === undefined ? null : userFromRow(row);
}

/** The active owners, locked until the commit, so that the last owner cannot leave. */
export async function lockOwners(db: Db, trx: Queryable): Promise<number[]> {
  const found = await query<{ id: number }>(
    trx,
    `SELECT id FROM users WHERE role = 'OWNER' AND status = 'ACTIVE' ORDER BY id ${db.dialect.forUpdate}`,
  );
  return found.map((row) => row.id);
}

/** The changeable fields of an account; missing ones stay the same. */
export type UserChange = Partial<
  Pick<
    User,
    | 'username'
    | 'email'
    | 'passwordHash'
    | 'role'
    | 'status'
    | 'avatar'
    | 'avatarSha256'
    | 'socials'
    | 'urlSettings'
    | 'embedSettings'
    | 'metadataPolicy'
    | 'ocr'
    | 'language'
  >
>;

/** Changes an account; violates a unique index if the new name or address is taken. */
export async function updateUser(trx: Queryable, id: number, change: UserChange): Promise<void> {
  const { username, email, socials, urlSettings, embedSettings } = change;
  const columns = {
    username,
    username_key: username === undefined ? undefined : foldCase(username),
    email,
    email_key: email === undefined ? undefined : foldCase(email),
    password_hash: change.passwordHash,
    role: change.role,
    status: change.status,
    avatar: change.avatar,
    avatar_sha256: change.avatarSha256,
    socials: socials === undefined ? undefined : JSON.stringify(socials),
    url_settings: urlSettings === undefined ? undefined : JSON.stringify(urlSettings),
    embed_settings: embedSettings === undefined ? undefined : JSON.stringify(embedSettings),
    metadata_policy: change.metadataPolicy,
    ocr: change.ocr,
    language: change.language,
  };
  // knex leaves out undefined values.
  if (Object.keys(change).length > 0) await trx('users').where('id', id).update(columns);
}

/** Gives a pending account a status if its address is still the verified one; false otherwise. */
export async function activateUser(
  trx: Queryable,
  id: number,
  emailKey: string,
  status: 'ACTIVE' | 'WAITING' = 'ACTIVE',
): Promise<boolean> {
  const waiting = trx('users').where({ id, status: 'PENDING', email_key: emailKey });
  return (await waiting.update({ status })) > 0;
}

/** Deletes an account and everything that references it by a foreign key. */
export async function deleteUser(trx: Queryable, id: number): Promise<boolean> {
  return (await trx('users').where('id', id).delete()) > 0;
}

/**
 * Deletes accounts created before `at` that are still unverified, at most `limit`; returns how many. Those that came
 * with an import stay: items have come with them.
 */
export async function deletePendingBefore(trx: Queryable, at: number, limit: number): Promise<number> {
  const came = trx('imported').where('kind', 'account').select('item_id');
  const waiting = trx('users')
    .where('status', 'PENDING')
    .andWhere('created_at', '<', at)
    .whereNotIn('id', came);
  return trx('users').whereIn('id', waiting.select('id').limit(limit)).delete();
}

/** Whether the installation has an active owner; once true it stays true, because the last owner cannot leave. */
export async function anyOwner(db: Queryable): Promise<boolean> {
  return (await db('users').where({ role: 'OWNER', status: 'ACTIVE' }).first('id')) !== undefined;
}

/** Whether there is any account. */
export const anyAccount = async (db: Queryable): Promise<boolean> =>
  (await db('users').first('id')) !== undefined;

/** Inserts an account and returns its id; violates a unique index if the name or address is taken. */
export async function insertUser(trx: Queryable, user: NewUser): Promise<number> {
  const [row] = await trx('users')
    .insert({
      username: user.username,
      username_key: foldCase(user.username),
      email: user.email,
      email_key: foldCase(user.email),
      password_hash: user.passwordHash,
      role: user.role,
      status: user.status,
      invited_by: user.invitedBy,
      created_at: user.createdAt,
    })
    .returning('id');
  return row.id;
}

/** Sets another hash of the same password; false if the password is another one by now. */
export async function replacePasswordHash(
  trx: Queryable,
  id: number,
  hash: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const changed = await trx('users')
    .where({ id, password_hash: hash.from })
    .update({ password_hash: hash.to });
  return changed > 0;
}
