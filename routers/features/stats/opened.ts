import { z } from 'zod';
import { dayOf } from '../../../db/engine/days.js';
import { type HitsKey, hitsAfter, hitsPerDay, mostOpened } from '../../../db/statistics/hit-days.js';
import { KINDS } from '../../base/kinds.js';
import { Lines } from '../../base/lines.js';
import { spanInput } from '../../base/text/span.js';
import type { AccountContext } from '../../core/context.js';
import { readsOwnOfKind } from '../../core/scopes.js';
import { dayText } from './days.js';
import { openedDay } from './item.js';
import { ownSpan } from './own.js';

/** Items that a list names, at most. */
const MAX_NAMED = 50;

/** Over which days, and how many items are named. */
export const openedInput = spanInput.extend({ limit: z.int().min(0).max(MAX_NAMED).nullish() });

/** Items that a list names if nobody says otherwise. */
const USUAL = 10;

/** How often the items of an account were opened, by UTC day, and those that people opened most often. */
export const openedStats = z.object({
  visits: z.int(),
  people: z.int(),
  bots: z.int(),
  perDay: z.array(openedDay),
  /** Only of the kinds that the caller's key reads. */
  most: z.array(
    z.object({
      kind: z.enum(KINDS),
      uniqueId: z.string(),
      title: z.string(),
      people: z.int(),
      bots: z.int(),
    }),
  ),
});

/**
 * The visits of the caller's links and the views of its files and pastes, in whole days; the last seven by default.
 * Adding up what a large account has takes a while, so equal requests of one account share it.
 */
export function getOpened(
  { app, account }: AccountContext,
  input: z.output<typeof openedInput>,
): Promise<z.output<typeof openedStats>> {
  const span = ownSpan(input);
  const kinds = KINDS.filter((kind) => readsOwnOfKind(account, kind));
  const limit = input.limit ?? USUAL;
  const days = [dayOf(span.from), dayOf(span.to)];
  return app.singleFlight(`opened ${[account.id, ...days, limit, ...kinds]}`, async () => {
    await app.views.flush();
    const perDay = await hitsPerDay(app.db, account.id, span);
    const people = perDay.reduce((sum, day) => sum + day.people, 0);
    const bots = perDay.reduce((sum, day) => sum + day.bots, 0);
    return {
      visits: people + bots,
      people,
      bots,
      perDay: perDay.map((day) => ({
        first: dayText(day.day),
        second: day.people + day.bots,
        people: day.people,
        bots: day.bots,
      })),
      most: await mostOpened(app.db, account.id, kinds, span, limit),
    };
  });
}

/** Rows read at once. */
const BATCH = 500;

/** How often each item of the caller was opened on each day, the oldest first; made while it is sent. */
export async function exportOpened({ app, account }: AccountContext): Promise<Lines> {
  await app.views.flush();
  async function* each(): AsyncGenerator<string> {
    let after: HitsKey = { day: 0, kind: 'image', itemId: 0 };
    for (;;) {
      const some = await app.db.behind((db) => hitsAfter(db, account.id, after, BATCH));
      for (const { kind, uniqueId, day, people, bots } of some)
        if (uniqueId !== null) yield JSON.stringify({ kind, uniqueId, day: dayText(day), people, bots });
      const last = some.at(-1);
      if (last === undefined || some.length < BATCH) return;
      after = last;
    }
  }
  return new Lines('json', 'holdall-views.json', each);
}
