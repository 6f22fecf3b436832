/** Long lists are worked on in parts, between which others take their turns: also where tRPC checks what a procedure gives. */
import { initTRPC } from '@trpc/server';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { checkedInParts, PART } from '../../routers/base/parts.js';

const test = suite('long lists in parts');

const PARTS = 20;
const t = initTRPC.create();
const shape = { title: z.string(), items: z.array(z.object({ name: z.string() })) };
const router = t.router({
  list: t.procedure
    .input(z.object({ length: z.int(), name: z.unknown() }))
    .output(checkedInParts(z.object(shape), 'items'))
    .query(({ input }) => ({
      title: 'a list',
      items: Array.from({ length: input.length }, () => ({ name: input.name as string, secret: 1 })),
    })),
});
const call = router.createCaller({});

/** How many turns others have while something is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const take = () => {
    turns += 1;
    if (!over) setImmediate(take);
  };
  setImmediate(take);
  await work();
  over = true;
  return turns;
}

test('others have a turn between the parts, from the first call on', async () => {
  for (const _ of [1, 2]) {
    const turns = await turnsDuring(() => call.list({ length: PARTS * PART, name: 'a' }));
    assert.ok(turns >= PARTS - 1, `${turns} turns`);
  }
});

test('what is checked in parts is checked like any other', async () => {
  const long = await call.list({ length: PARTS * PART, name: 'a' });
  assert.equal([long.title, long.items.length, long.items[0]], ['a list', PARTS * PART, { name: 'a' }]);
  assert.equal((await call.list({ length: 1, name: 'a' })).items, [{ name: 'a' }]);
  for (const length of [1, PARTS * PART])
    await call.list({ length, name: 5 }).then(
      () => assert.unreachable(),
      ({ message }: Error) => assert.is(message, 'Output validation failed'),
    );
});

test.run();
