import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import knexModule, { type Knex } from 'knex';
import { PostgresClient } from './clients/postgres-client.js';
import { query } from './query.js';
import type { Queryable } from './queryable.js';
import type { Write } from './write.js';

/** A copy of the database that follows it. */
interface Replica {
  readonly read: Queryable;
  /** Whether it has everything that was committed before the bound. */
  isFresh(): Promise<boolean>;
  /** It has failed: leaves it alone for a while. */
  failed(): void;
  close(): Promise<void>;
}

/** Longest wait for a connection to it, in milliseconds, and how many there are at most. */
const CONNECT_MS = 2_000;
const POOL = 4;
/** How long a replica that failed is left alone, in milliseconds. */
const PAUSE_MS = 30_000;
/** A replica that is close behind has a mark after one of so many looks. */
const LOOKS = 3;
const LOOK_AGAIN_MS = 20;
/** One that is far behind is looked at this often at most, in milliseconds, not for every read. */
const REST_MS = 1_000;
/** Marks that are kept in the database, of all processes: those that a replica may still have to reach. */
const KEPT_CHARACTERS = 4_000;

/** A mark that this process made, and when it began to, by its monotonic clock. */
interface Mark {
  readonly token: string;
  readonly at: number;
}

/**
 * Knows how old a replica is by marks: whoever has one has everything that was committed before it was made. So it trusts
 * no clock, and no replica that followed another primary before a failover. Marks are made only while somebody reads.
 */
export function openReplica(write: Write, settings: Knex.Config, lagMs: number): Replica {
  // It does not connect yet: a server starts without it, too.
  const knex = knexModule({
    ...settings,
    client: PostgresClient as unknown as typeof Knex.Client,
    connection: { ...(settings.connection as object), connectionTimeoutMillis: CONNECT_MS },
    pool: { min: 0, max: POOL },
  });
  /** The oldest first. */
  let marks: Mark[] = [];
  let provenAt = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let markedAt = Number.NEGATIVE_INFINITY;
  let avoidedUntil = 0;
  let asking: Promise<void> | null = null;
  const isProven = () => performance.now() - provenAt < lagMs;
  const failed = () => {
    avoidedUntil = performance.now() + PAUSE_MS;
    provenAt = Number.NEGATIVE_INFINITY;
  };

  async function look(): Promise<boolean> {
    const [row] = await query<{ value: string }>(knex, 'SELECT value FROM installation WHERE name = ?', [
      NAME,
    ]);
    const there = new Set(row?.value.split(' '));
    const reached = marks.findLast(({ token }) => there.has(token));
    if (reached !== undefined) provenAt = Math.max(provenAt, reached.at);
    return reached === marks.at(-1);
  }

  async function ask(): Promise<void> {
    const at = performance.now();
    askedAt = at;
    // Few marks reach over the whole bound; a look needs none of its own.
    if (at - markedAt >= lagMs / 10) {
      const token = randomBytes(6).toString('hex');
      await write((trx) => putMark(trx, token));
      markedAt = at;
      marks = [...marks.filter((mark) => at - mark.at < lagMs), { token, at }];
    }
    for (let looks = 1; !(await look()) && looks < LOOKS; looks += 1) await delay(LOOK_AGAIN_MS);
  }

  return {
    read: knex,
    isFresh: async () => {
      const now = performance.now();
      if (now < avoidedUntil) return false;
      if (isProven()) return true;
      if (asking === null && now - askedAt < Math.min(lagMs / 10, REST_MS)) return false;
      asking ??= ask()
        .catch(failed)
        .finally(() => {
          asking = null;
        });
      await asking;
      return isProven();
    },
    failed,
    close: () => knex.destroy(),
  };
}

const NAME = 'replica_marks';

const putMark = (trx: Queryable, token: string) =>
  query(
    trx,
    `INSERT INTO installation (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value || ' ' || substr(installation.value, 1, ${KEPT_CHARACTERS})`,
    [NAME, token],
  );
