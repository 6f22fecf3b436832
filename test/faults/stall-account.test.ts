/**
 * An account gets, changes and loses as much as it can. Callers see: every step is done, and everybody else is answered
 * meanwhile. `npm run test:faults` tries it with a hundred thousand links, and measures how long others wait.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPlace } from './servers/place.js';
import { fillAndDelete, type NoticedStep } from './stall/full-account.js';

const test = suite('one full account cannot stop the others');

test('an account with many links, files and tags is filled, changed and deleted, and others are answered', async () => {
  const place = await openPlace();
  const results: NoticedStep[] = [];
  try {
    await fillAndDelete(place, { links: 600, files: 200 }, (result) => results.push(result));
  } finally {
    await place.remove();
  }
  assert.ok(results.length > 20, `${results.length} steps`);
  for (const { name, probes, peakMib, statuses } of results) {
    assert.equal(
      [...new Set(statuses)].filter((status) => status !== 200),
      [],
      name,
    );
    assert.equal([...new Set(probes.map(({ status }) => status))], [200], name);
    assert.ok(peakMib === null || peakMib < 1024, `${name}: ${peakMib} MiB`);
  }
});

test.run();
