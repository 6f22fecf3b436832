import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Log } from '../../routers/base/ports/log.js';
import { createProbe } from '../../routers/base/probe.js';

const silent = { debug() {}, info() {}, warn() {}, error() {} } as unknown as Log;
const test = suite('health checks');

test('what was found is given again while it is young enough, and asked for otherwise', async () => {
  let asked = 0;
  let works = true;
  const probe = createProbe(
    'a part',
    async () => {
      asked += 1;
      if (!works) throw new Error('broken');
    },
    silent,
  );
  assert.equal([await probe.ask(60_000), await probe.ask(60_000), asked], ['ok', 'ok', 1]);
  works = false;
  assert.equal([await probe.ask(60_000), await probe.ask(), asked], ['ok', 'failing', 2]);
  works = true;
  assert.equal([await probe.ask(60_000), await probe.ask(0), asked], ['failing', 'ok', 3]);
  assert.is(probe.facts().failures, 1);
});

test.run();
