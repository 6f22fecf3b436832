import type { Queryable } from '../../../db/engine/queryable.js';
import { deleteViews } from '../../../db/statistics/view-days.js';
import type { Kind } from '../../base/kinds.js';
import type { Services } from '../context.js';

/**
 * Deletes what was counted of the views of an item, in the transaction that deletes it: all of it if that is not much,
 * otherwise the rest in a job (docs/adr/0011).
 */
export async function forgetViews(app: Services, trx: Queryable, kind: Kind, itemId: number): Promise<void> {
  if (!(await deleteViews(trx, kind, itemId))) await app.jobs.add(trx, 'viewRemoval', { kind, itemId });
}
