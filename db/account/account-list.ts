import type { Db } from '../engine/connect.js';
import {
  type Condition,
  ifGiven,
  listPage,
  type Page,
  type SearchMatches,
  type Window,
} from '../engine/paging.js';
import { containing } from '../engine/pattern.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { foldCase, type User, type UserRow, userFromRow } from './account.js';
import type { Role } from './role.js';

/** Filter for a list of accounts; null = all. */
interface UserFilter {
  /** Part of the name or the address. */
  readonly matches: SearchMatches | null;
  readonly role: Role | null;
  readonly status: string | null;
}

const NAMED_LIKE = "(username_key LIKE ? ESCAPE '!' OR email_key LIKE ? ESCAPE '!')";

/** Accounts, newest first. */
export async function listUsers(db: Db, filter: UserFilter, window: Window): Promise<Page<User>> {
  const { matches, role, status } = filter;
  const pattern = matches === null ? null : containing(foldCase(matches.text));
  const where: Condition[] = [
    pattern === null ? null : [NAMED_LIKE, pattern, pattern],
    ifGiven(role, 'role = ?'),
    ifGiven(status, 'status = ?'),
  ];
  return listPage(db, { from: 'users', where }, window, userFromRow, matches);
}

/** The active owners and administrators, the first ones. */
export async function administrators(db: Queryable, limit: number): Promise<User[]> {
  const found = await query<UserRow>(
    db,
    `SELECT * FROM users WHERE role IN ('OWNER', 'ADMIN') AND status = 'ACTIVE' ORDER BY id LIMIT ?`,
    [limit],
  );
  return found.map(userFromRow);
}

/** The number of accounts, including deleted ones whose removal is in progress. */
export async function countUsers(db: Queryable): Promise<number> {
  const [row] = await query<{ total: number }>(db, 'SELECT count(*) AS total FROM users');
  return row?.total ?? 0;
}
