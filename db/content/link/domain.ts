import type { Db } from '../../engine/connect.js';
import { type Condition, ifGiven, type Page, queryPage, type Window } from '../../engine/paging.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

/** What has become of a domain. A removed one keeps its number, which the ids of its links begin with. */
export const DOMAIN_STATES = ['pending', 'waiting', 'active', 'paused', 'removed'] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

/** How the host was shown to belong to the account. */
export type DomainProof = 'dns' | 'http';

/** A host of an account. */
export interface Domain {
  readonly id: number;
  readonly ownerId: number;
  /** In lower case and ASCII, without a port. */
  readonly host: string;
  readonly token: string;
  readonly state: DomainState;
  /** What an administrator has decided; null for nothing. */
  readonly approved: boolean | null;
  readonly proof: DomainProof | null;
  /** The last proof and the last look for one, epoch milliseconds. */
  readonly provenAt: number | null;
  readonly checkedAt: number | null;
  /** Where its unknown ids lead. */
  readonly fallbackUrl: string | null;
  readonly createdAt: number;
}

interface Row {
  id: number;
  owner_id: number;
  host: string;
  token: string;
  state: DomainState;
  approved: boolean | number | null;
  proof: DomainProof | null;
  proven_at: number | null;
  checked_at: number | null;
  fallback_url: string | null;
  created_at: number;
}

const fromRow = (row: Row): Domain => ({
  id: row.id,
  ownerId: row.owner_id,
  host: row.host,
  token: row.token,
  state: row.state,
  approved: row.approved === null ? null : Boolean(row.approved),
  proof: row.proof,
  provenAt: row.proven_at,
  checkedAt: row.checked_at,
  fallbackUrl: row.fallback_url,
  createdAt: row.created_at,
});

/** The order in which the rows of one host are meant: whoever holds it, then who has proven it first. */
const MEANT = `CASE state WHEN 'active' THEN 0 WHEN 'waiting' THEN 1 WHEN 'paused' THEN 2 WHEN 'pending' THEN 3 ELSE 4 END,
  proven_at, id`;

/** The domains that hosts mean, in the order of the hosts; null for hosts that nobody has. */
export async function domainsByHosts(db: Db, hosts: readonly string[]): Promise<(Domain | null)[]> {
  const found = await query<Row>(
    db.read,
    `SELECT * FROM domains WHERE ${db.dialect.inStrings('host')} AND state <> 'removed' ORDER BY ${MEANT}`,
    [JSON.stringify(hosts)],
  );
  const first = new Map<string, Domain>();
  for (const row of found) if (!first.has(row.host)) first.set(row.host, fromRow(row));
  return hosts.map((host) => first.get(host) ?? null);
}

/** Domains by their numbers, removed ones included, in the order of the numbers. */
export async function domainsByIds(db: Db, ids: readonly number[]): Promise<(Domain | null)[]> {
  const found = await query<Row>(db.read, `SELECT * FROM domains WHERE ${db.dialect.inNumbers('id')}`, [
    JSON.stringify(ids),
  ]);
  const byId = new Map(found.map((row) => [row.id, fromRow(row)]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** The domains of an account by host, without those that were removed. */
export async function domainsOf(db: Queryable, ownerId: number): Promise<Domain[]> {
  const found = await query<Row>(
    db,
    "SELECT * FROM domains WHERE owner_id = ? AND state <> 'removed' ORDER BY host",
    [ownerId],
  );
  return found.map(fromRow);
}

/** One domain of an account, also one that was removed. */
export async function domainOf(db: Queryable, ownerId: number, host: string): Promise<Domain | null> {
  const [row] = await query<Row>(db, 'SELECT * FROM domains WHERE owner_id = ? AND host = ?', [
    ownerId,
    host,
  ]);
  return row === undefined ? null : fromRow(row);
}

/** Whether a host is registered with this token. */
export async function hasToken(db: Queryable, host: string, token: string): Promise<boolean> {
  const found = await query(db, "SELECT 1 FROM domains WHERE host = ? AND token = ? AND state <> 'removed'", [
    host,
    token,
  ]);
  return found.length > 0;
}

/** Adds a host to an account, or one that it had before again, with a new token; null if it has it. */
export async function insertDomain(
  trx: Queryable,
  { ownerId, host, token }: Pick<Domain, 'ownerId' | 'host' | 'token'>,
  at: number,
): Promise<Domain | null> {
  const [row] = await query<Row>(
    trx,
    `INSERT INTO domains (owner_id, host, token, state, created_at) VALUES (?, ?, ?, 'pending', ?)
     ON CONFLICT (owner_id, host) DO UPDATE SET token = excluded.token, state = 'pending', approved = NULL,
       proof = NULL, checked_at = NULL, created_at = excluded.created_at
     WHERE domains.state = 'removed' RETURNING *`,
    [ownerId, host, token, at],
  );
  return row === undefined ? null : fromRow(row);
}

type DomainChange = Partial<
  Pick<Domain, 'state' | 'approved' | 'proof' | 'provenAt' | 'checkedAt' | 'fallbackUrl'>
>;

const COLUMNS: Readonly<Record<keyof DomainChange, string>> = {
  state: 'state',
  approved: 'approved',
  proof: 'proof',
  provenAt: 'proven_at',
  checkedAt: 'checked_at',
  fallbackUrl: 'fallback_url',
};

/** The state of a domain, which no other transaction changes until this one ends; null for none. */
export async function lockState(db: Db, trx: Queryable, id: number): Promise<DomainState | null> {
  const [row] = await query<Pick<Row, 'state'>>(
    trx,
    `SELECT state FROM domains WHERE id = ? ${db.dialect.forUpdate}`,
    [id],
  );
  return row?.state ?? null;
}

/**
 * Changes a domain that still has this token and is not removed, and returns it; null otherwise. Violates the unique index
 * if it would be active beside another one of its host.
 */
export async function updateDomain(
  trx: Queryable,
  { id, token }: Pick<Domain, 'id' | 'token'>,
  change: DomainChange,
): Promise<Domain | null> {
  const given = Object.entries(change) as [keyof DomainChange, string | number | boolean | null][];
  const [row] = await query<Row>(
    trx,
    `UPDATE domains SET ${given.map(([field]) => `${COLUMNS[field]} = ?`).join(', ')}
     WHERE id = ? AND token = ? AND state <> 'removed' RETURNING *`,
    [...given.map(([, value]) => value), id, token],
  );
  return row === undefined ? null : fromRow(row);
}

/**
 * Removes a host from an account; null if it has no such host. One that was active keeps its row: its links stay what they
 * are, and are reached again if the host comes back.
 */
export async function removeDomain(trx: Queryable, ownerId: number, host: string): Promise<Domain | null> {
  const [row] = await query<Row>(
    trx,
    `UPDATE domains SET state = 'removed', approved = NULL WHERE owner_id = ? AND host = ? AND state <> 'removed'
     RETURNING *`,
    [ownerId, host],
  );
  if (row === undefined) return null;
  if (row.proven_at === null) await query(trx, 'DELETE FROM domains WHERE id = ?', [row.id]);
  return fromRow(row);
}

/** Gives up the hosts of a deleted account. */
export const removeDomainsOf = (trx: Queryable, ownerId: number): Promise<unknown> =>
  query(trx, "UPDATE domains SET state = 'removed' WHERE owner_id = ?", [ownerId]);

/** Domains whose proof was last looked for before a time, the longest ago first. */
export async function domainsToCheck(db: Queryable, before: number, limit: number): Promise<Domain[]> {
  const found = await query<Row>(
    db,
    `SELECT * FROM domains WHERE state IN ('active', 'waiting', 'paused') AND checked_at < ? ORDER BY checked_at LIMIT ?`,
    [before, limit],
  );
  return found.map(fromRow);
}

/** All domains, or those in a state; those that wait for a decision first. */
export function allDomains(db: Db, state: DomainState | null, window: Window): Promise<Page<Domain>> {
  const where: readonly Condition[] = [["state <> 'removed'"], ifGiven(state, 'state = ?')];
  const order = `CASE state WHEN 'waiting' THEN 0 ELSE 1 END, host, id`;
  return queryPage(db, { from: 'domains', where, order }, window, fromRow);
}

/** The domain of this host that an administrator decides about: of an account, or of whom it means. */
export async function domainToDecide(
  trx: Queryable,
  host: string,
  ownerId: number | null,
): Promise<Domain | null> {
  const [row] = await query<Row>(
    trx,
    `SELECT * FROM domains WHERE host = ? AND state <> 'removed' ${ownerId === null ? '' : 'AND owner_id = ?'}
     ORDER BY ${MEANT} LIMIT 1`,
    ownerId === null ? [host] : [host, ownerId],
  );
  return row === undefined ? null : fromRow(row);
}
