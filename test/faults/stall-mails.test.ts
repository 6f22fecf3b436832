/**
 * Mails come in that cost their reader as much as a sender can make them. Callers see: every mail is stored, everybody
 * else is answered, and the server stays within its memory. `npm run test:faults` tries more, and measures how long
 * others wait.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPlace } from './servers/place.js';
import { type NoticedMail, tryMails } from './stall/mail-stalls.js';

const test = suite('one mail cannot stop the server');

test('the costliest mails are stored by every way in, and others are answered meanwhile', async () => {
  const place = await openPlace();
  const results: NoticedMail[] = [];
  try {
    const of = ({ name }: { name: string }) => /style sheet|of their own|empty|headers/.test(name);
    await tryMails(place, of, (result) => results.push(result));
  } finally {
    await place.remove();
  }
  assert.is(results.length, 4);
  for (const { name, probes, peakMib, stored } of results) {
    assert.is(stored, 2, name);
    assert.equal([...new Set(probes.map(({ status }) => status))], [200], name);
    assert.ok(peakMib === null || peakMib < 1024, `${name}: ${peakMib} MiB`);
  }
});

test.run();
