import type { Db } from '../engine/connect.js';
import { json, query } from '../engine/query.js';
import { type Pause, type PausedRow, pauseOf } from './limits.js';
import type { Role } from './role.js';

/** The account behind a credential, as far as a request needs it. */
export interface Identity {
  readonly userId: number;
  readonly username: string;
  readonly role: Role;
  readonly status: string;
  /** The language chosen for pages and mails; null: as the browser asks. */
  readonly language: string | null;
  readonly hasWebhook: boolean;
  /** Until when the account may only read, null for no end; null if it was never paused. */
  readonly pause: Pause | null;
  /** Set when the credential is a session. */
  readonly sessionId: number | null;
  /** Set when the credential is a key. */
  readonly key: KeyIdentity | null;
  /** When the use of the session or of a named key was last recorded (epoch milliseconds). */
  readonly lastUsedAt: number | null;
}

/** What a request needs to know of the key it came with. */
interface KeyIdentity {
  readonly id: number;
  readonly isMain: boolean;
  /** The names of what the key may do; null for everything that its account may do. */
  readonly scopes: readonly string[] | null;
  /** Whether it opens items with a stranger's rights only. */
  readonly asVisitor: boolean;
  /** Whether it may only add things. */
  readonly createOnly: boolean;
}

interface IdentityRow extends PausedRow {
  hash: string;
  session_id: number | null;
  key_id: number | null;
  is_main: boolean | number | null;
  scopes: string | null;
  as_visitor: boolean | number | null;
  create_only: boolean | number | null;
  last_used_at: number | null;
  user_id: number;
  username: string;
  role: Role;
  status: string;
  language: string | null;
  has_webhook: boolean | number;
}

const byHash = (found: readonly IdentityRow[], hashes: readonly string[]): (Identity | null)[] => {
  const map = new Map(found.map((row) => [row.hash, row]));
  return hashes.map((hash) => {
    const row = map.get(hash);
    return row === undefined
      ? null
      : {
          userId: row.user_id,
          username: row.username,
          role: row.role,
          status: row.status,
          language: row.language,
          hasWebhook: Boolean(row.has_webhook),
          pause: pauseOf(row),
          sessionId: row.session_id,
          key: keyOf(row),
          lastUsedAt: row.last_used_at,
        };
  });
};

const keyOf = (row: IdentityRow): KeyIdentity | null =>
  row.key_id === null
    ? null
    : {
        id: row.key_id,
        isMain: Boolean(row.is_main),
        scopes: row.scopes === null ? null : json<string[]>(row.scopes),
        asVisitor: Boolean(row.as_visitor),
        createOnly: Boolean(row.create_only),
      };

/** The account behind each API key (by hash), in the requested order; null for unknown and expired keys. */
export async function identitiesByKey(db: Db, hashes: readonly string[]): Promise<(Identity | null)[]> {
  const found = await query<IdentityRow>(
    db.read,
    `SELECT k.key_hash AS hash, NULL AS session_id, k.id AS key_id, k.is_main, k.scopes, k.as_visitor, k.create_only,
            k.last_used_at, u.id AS user_id, u.username, u.role, u.status, u.language, u.paused_until, u.paused_indefinitely,
            w.url_cipher IS NOT NULL AS has_webhook
     FROM api_keys k JOIN users u ON u.id = k.user_id LEFT JOIN webhooks w ON w.user_id = k.user_id
     WHERE ${db.dialect.inStrings('k.key_hash')} AND (k.expires_at IS NULL OR k.expires_at > ?)`,
    [JSON.stringify(hashes), Date.now()],
  );
  return byHash(found, hashes);
}

/** The account behind each session (by token hash), in the requested order; null for unknown and expired sessions. */
export async function identitiesBySession(db: Db, hashes: readonly string[]): Promise<(Identity | null)[]> {
  const found = await query<IdentityRow>(
    db.read,
    `SELECT s.token_hash AS hash, s.id AS session_id, NULL AS key_id, NULL AS is_main, NULL AS scopes,
            NULL AS as_visitor, NULL AS create_only, s.last_used_at, u.id AS user_id, u.username, u.role, u.status,
            u.language, u.paused_until, u.paused_indefinitely, w.url_cipher IS NOT NULL AS has_webhook
     FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN webhooks w ON w.user_id = s.user_id
     WHERE ${db.dialect.inStrings('s.token_hash')} AND s.expires_at > ?`,
    [JSON.stringify(hashes), Date.now()],
  );
  return byHash(found, hashes);
}
