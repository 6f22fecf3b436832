import type { Window } from '../engine/paging.js';
import { json } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** An API key with a name, as its owner sees it. Its secret is stored only as a hash. */
export interface NamedKey {
  readonly id: number;
  readonly name: string;
  /** Its first characters, by which its owner recognises it. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly asVisitor: boolean;
  /** Whether it may only add things. */
  readonly createOnly: boolean;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly lastUsedIp: string | null;
}

const toNamedKey = (row: {
  id: number;
  name: string;
  prefix: string | null;
  scopes: string | null;
  as_visitor: boolean | number;
  create_only: boolean | number;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  last_used_ip: string | null;
}): NamedKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix ?? '',
  scopes: row.scopes === null ? [] : json<string[]>(row.scopes),
  asVisitor: Boolean(row.as_visitor),
  createOnly: Boolean(row.create_only),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  lastUsedIp: row.last_used_ip,
});

const own = (db: Queryable, userId: number) => db('api_keys').where({ user_id: userId, is_main: false });

/** The named keys of an account, newest first, expired ones included. */
export async function namedKeysOf(
  db: Queryable,
  userId: number,
  { offset, limit }: Window,
): Promise<NamedKey[]> {
  const found = await own(db, userId).orderBy('id', 'desc').offset(offset).limit(limit);
  return found.map(toNamedKey);
}

/** One named key of an account; null if it has no such key. */
export async function namedKeyOf(db: Queryable, userId: number, id: number): Promise<NamedKey | null> {
  const row = await own(db, userId).andWhere('id', id).first();
  return row === undefined ? null : toNamedKey(row);
}

/** How many named keys an account has. */
export async function countNamedKeys(db: Queryable, userId: number): Promise<number> {
  const row = await own(db, userId).count({ count: '*' }).first();
  return Number(row?.count ?? 0);
}

type NewNamedKey = Pick<
  NamedKey,
  'name' | 'prefix' | 'scopes' | 'asVisitor' | 'createOnly' | 'createdAt' | 'expiresAt'
> & { readonly userId: number; readonly hash: string };

/** Creates a named key; returns its row id. */
export async function insertNamedKey(trx: Queryable, key: NewNamedKey): Promise<number> {
  const [row] = await trx('api_keys')
    .insert({
      user_id: key.userId,
      name: key.name,
      is_main: false,
      key_hash: key.hash,
      prefix: key.prefix,
      scopes: JSON.stringify(key.scopes),
      as_visitor: key.asVisitor,
      create_only: key.createOnly,
      created_at: key.createdAt,
      expires_at: key.expiresAt,
    })
    .returning('id');
  return row.id;
}

/** What can be changed of a named key; absent fields stay. */
type NamedKeyChange = Partial<Pick<NamedKey, 'name' | 'scopes' | 'asVisitor' | 'createOnly' | 'expiresAt'>>;

/** Changes a named key of an account; false if it has no such key. */
export async function updateNamedKey(
  trx: Queryable,
  userId: number,
  id: number,
  change: NamedKeyChange,
): Promise<boolean> {
  const values = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.scopes === undefined ? {} : { scopes: JSON.stringify(change.scopes) }),
    ...(change.asVisitor === undefined ? {} : { as_visitor: change.asVisitor }),
    ...(change.createOnly === undefined ? {} : { create_only: change.createOnly }),
    ...(change.expiresAt === undefined ? {} : { expires_at: change.expiresAt }),
  };
  const mine = own(trx, userId).andWhere('id', id);
  if (Object.keys(values).length === 0) return (await mine.first('id')) !== undefined;
  return (await mine.update(values)) > 0;
}

/** Deletes a named key of an account; false if it has no such key. */
export async function deleteNamedKey(trx: Queryable, userId: number, id: number): Promise<boolean> {
  return (await own(trx, userId).andWhere('id', id).delete()) > 0;
}

/** Deletes every named key of an account; the main key stays. Returns how many there were. */
export async function deleteNamedKeys(trx: Queryable, userId: number): Promise<number> {
  return own(trx, userId).delete();
}

/** Records that a key was used, and from which address. */
export async function touchKey(trx: Queryable, id: number, at: number, address: string): Promise<void> {
  await trx('api_keys').where('id', id).update({ last_used_at: at, last_used_ip: address });
}

/** As `touchKey`, but only if the key was not used since `day` began; true if so. One of several callers gets true. */
export async function touchKeyOfDay(
  trx: Queryable,
  id: number,
  use: { readonly at: number; readonly address: string },
  day: number,
): Promise<boolean> {
  const unused = trx('api_keys')
    .where('id', id)
    .andWhere((row) => row.whereNull('last_used_at').orWhere('last_used_at', '<', day));
  return (await unused.update({ last_used_at: use.at, last_used_ip: use.address })) > 0;
}
