import { createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keepTickObject } from '../../server/runtime/http/tick-object.js';
import { collectGarbage } from '../support/garbage.js';

const test = suite('object of nextTick');

/** The objects behind the calls of `process.nextTick` that `act` makes, held weakly. */
function ticksOf(act: () => void): WeakRef<object>[] {
  const ticks: WeakRef<object>[] = [];
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') ticks.push(new WeakRef(resource));
    },
  });
  hook.enable();
  act();
  hook.disable();
  return ticks;
}

test('one object survives garbage collections, and its hidden class with it', async () => {
  const ticks = [...ticksOf(() => process.nextTick(() => undefined)), ...ticksOf(keepTickObject)];
  // An object behind a weak reference lives at least as long as the job that made the reference.
  await setImmediate();
  collectGarbage();
  assert.equal(
    ticks.map((tick) => tick.deref() !== undefined),
    [false, true],
  );
});

test.run();
