import type { Db, Queryable } from './connect.js';
import { json, rows } from './rows.js';

/** An account. `status` tells whether its address is verified; the role whether it is banned or deleted. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: string;
  readonly status: 'PENDING' | 'ACTIVE';
  readonly avatar: string | null;
  readonly invitedBy: number | null;
  readonly socials: Readonly<Record<string, string>>;
  readonly urlSettings: Readonly<Record<string, string>>;
  readonly embedSettings: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}

/** What a new account needs. */
export interface NewUser {
  readonly username: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: string;
  readonly status: 'PENDING' | 'ACTIVE';
  readonly invitedBy: number | null;
  readonly createdAt: number;
}

interface Row {
  id: number;
  username: string;
  email: string;
  password_hash: string;
  role: string;
  status: 'PENDING' | 'ACTIVE';
  avatar: string | null;
  invited_by: number | null;
  socials: string;
  url_settings: string;
  embed_settings: string;
  created_at: number;
}

const fromRow = (row: Row): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  passwordHash: row.password_hash,
  role: row.role,
  status: row.status,
  avatar: row.avatar,
  invitedBy: row.invited_by,
  socials: json(row.socials),
  urlSettings: json(row.url_settings),
  embedSettings: json(row.embed_settings),
  createdAt: row.created_at,
});

/** The form in which usernames and addresses are compared. */
export const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Accounts by number, in any order; unknown numbers are left out. */
export async function usersByIds(db: Db, ids: readonly number[]): Promise<User[]> {
  const found = await rows<Row>(db.read, `SELECT * FROM users WHERE ${db.dialect.inNumbers('id')}`, [
    JSON.stringify(ids),
  ]);
  return found.map(fromRow);
}

/** The account with this address (any case), or null. */
export async function userByEmail(db: Queryable, email: string): Promise<User | null> {
  const row: Row | undefined = await db('users').where('email_key', foldCase(email)).first();
  return row === undefined ? null : fromRow(row);
}

/** The account with this username (any case), or null. */
export async function userByUsername(db: Queryable, username: string): Promise<User | null> {
  const row: Row | undefined = await db('users').where('username_key', foldCase(username)).first();
  return row === undefined ? null : fromRow(row);
}

/** True once any account exists. */
export async function anyUser(db: Queryable): Promise<boolean> {
  return (await db('users').select('id').first()) !== undefined;
}

/** Adds an account and answers its number; violates a unique index when name or address is taken. */
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

/** Numbers on an account's content: counts and bytes stored. */
export interface UserTotals {
  readonly totalUploads: number;
  readonly pastesCreated: number;
  readonly urlsShortened: number;
  readonly storageUsed: number;
}

/** Counts the content of one account. */
export async function userTotals(db: Db, userId: number): Promise<UserTotals> {
  const [row] = await rows<{ images: number; bytes: number; pastes: number; urls: number }>(
    db.read,
    `SELECT
       (SELECT count(*) FROM images WHERE owner_id = ?) AS images,
       (SELECT coalesce(sum(size), 0) FROM images WHERE owner_id = ?) AS bytes,
       (SELECT count(*) FROM pastes WHERE owner_id = ?) AS pastes,
       (SELECT count(*) FROM short_urls WHERE owner_id = ?) AS urls`,
    [userId, userId, userId, userId],
  );
  return {
    totalUploads: Number(row?.images ?? 0),
    pastesCreated: Number(row?.pastes ?? 0),
    urlsShortened: Number(row?.urls ?? 0),
    storageUsed: Number(row?.bytes ?? 0),
  };
}
