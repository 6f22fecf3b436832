import { originsAfter } from '../../../db/content/origins.js';
import { BEGINNING, type Reached } from '../../../db/content/walk.js';
import { OWNED_KINDS } from '../../base/kinds.js';
import { Lines } from '../../base/lines.js';
import type { AccountContext } from '../../core/context.js';

/** Rows read at once. */
const BATCH = 500;

/** What of the caller came from other products, and the addresses that it had there; made while it is sent. */
export function exportOrigins({ app: { db }, account }: AccountContext): Lines {
  async function* each(): AsyncGenerator<string> {
    for (const kind of OWNED_KINDS)
      for (let after: Reached = BEGINNING; ; ) {
        const some = await originsAfter(db, kind, account.id, after, BATCH);
        for (const { uniqueId, imported, addresses } of some)
          yield JSON.stringify({ kind, uniqueId, imported, addresses });
        const last = some.at(-1);
        if (last === undefined || some.length < BATCH) break;
        after = last;
      }
  }
  return new Lines('json', 'holdall-origins.json', each);
}
