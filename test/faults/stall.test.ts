/**
 * One account asks for as much as it can, on 64 connections. Callers see: everybody else is answered, and the server
 * stays within its memory. `npm run test:faults` tries more, and measures how long others wait.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPlace } from './servers/place.js';
import { type Noticed, tryToStall } from './stall/stalls.js';

const test = suite('one account cannot stall the others');

/** One of each kind: visits, searches, mails, playlists, texts, pages. A full run tries all. */
const HEAVY =
  /url\.logs|library\.pastes|email\.message$|playlist\.get|× paste\.get|^\/web\/(?:library|paste-render)|collection\/open\/\{uniqueId\}$|^PUT/;

test('others are answered during the worst requests of an account, and memory stays below 1 GiB', async () => {
  const place = await openPlace();
  const results: Noticed[] = [];
  try {
    const of = ({ name }: { name: string }) => HEAVY.test(name);
    await tryToStall(place, { calls: 20, texts: 16, files: 150, of }, (result) => results.push(result));
  } finally {
    await place.remove();
  }
  assert.ok(results.length > 5, `${results.length} operations were tried`);
  for (const { name, probes, peakMib } of results) {
    assert.equal([...new Set(probes.map(({ status }) => status))], [200], name);
    assert.ok(peakMib === null || peakMib < 1024, `${name}: ${peakMib} MiB`);
  }
});

test.run();
