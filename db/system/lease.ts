import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Acquires or extends a lease until `until`; true for only one holder among all processes. */
export async function takeLease(
  trx: Queryable,
  lease: { name: string; holder: string },
  at: number,
  until: number,
): Promise<boolean> {
  const taken = await query(
    trx,
    `INSERT INTO leases (name, holder, held_until) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
     WHERE leases.holder = excluded.holder OR leases.held_until <= ? RETURNING name`,
    [lease.name, lease.holder, until, at],
  );
  return taken.length > 0;
}

/** Releases a lease if this holder has it. */
export async function releaseLease(trx: Queryable, lease: { name: string; holder: string }): Promise<void> {
  await trx('leases').where(lease).delete();
}
