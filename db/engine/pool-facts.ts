import type { Knex } from 'knex';

/** How busy the connections of a pool are. */
export interface PoolFacts {
  readonly used: number;
  readonly waiting: number;
  /** Time that all who got a connection waited for it, in seconds, since the start. */
  readonly waitedSeconds: number;
}

/** The parts of the pool of knex (tarn) that are used here; knex publishes no types for it. */
interface Pool {
  numUsed(): number;
  numPendingAcquires(): number;
  on(event: 'acquireRequest' | 'acquireSuccess' | 'acquireFail', listener: (id: number) => void): void;
}

/** Returns what reads the figures of this instance's pool, and begins to count who waits for it. */
export function poolFacts(knex: Knex): () => PoolFacts {
  const pool: Pool = knex.client.pool;
  const since = new Map<number, number>();
  let waitedMs = 0;
  const settled = (id: number): void => {
    waitedMs += performance.now() - (since.get(id) ?? performance.now());
    since.delete(id);
  };
  pool.on('acquireRequest', (id) => since.set(id, performance.now()));
  pool.on('acquireSuccess', settled);
  pool.on('acquireFail', settled);
  return () => ({
    used: pool.numUsed(),
    waiting: pool.numPendingAcquires(),
    waitedSeconds: waitedMs / 1000,
  });
}
