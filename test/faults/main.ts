/**
 * `npm run test:faults [-- --long] [-- --rounds=N] [-- --seed=N] [-- --of=REGEX]`: more rounds of `kill.test.ts`, 200 or with
 * `--long` 3,000; every third with two concurrent processes. Then every kind of request that could stall the server,
 * with the time that others wait, the costliest mails, and an account that gets, changes and loses as much as it can;
 * `--rounds=0` does only that, and `--of` only the kinds with such a name (`--of=^account$` the last). The other faults are
 * tested completely by `npm test -- faults`.
 */
import { parseArgs } from 'node:util';
import { openPlace } from './servers/place.js';
import { runRounds } from './servers/rounds.js';
import { fillAndDelete } from './stall/full-account.js';
import { tryMails } from './stall/mail-stalls.js';
import { type Noticed, tryToStall } from './stall/stalls.js';

const { values } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
    of: { type: 'string', default: '' },
  },
});

const rounds = Number(values.rounds ?? (values.long ? 3_000 : 200));
const seed = Number(values.seed);
const pairs = Math.floor(rounds / 3);
/** How long one request in a hundred of others may take, in milliseconds; on a busy machine, so often as long as the control. */
const P99_MS = 500;
const TIMES_CONTROL = 3;
let allowed = P99_MS;
const waits: { readonly name: string; readonly p99: number }[] = [];
/** Mails are read elsewhere, and one at a time here. */
const MAIL_P99_MS = 500;
let acknowledged = await runRounds({ rounds: rounds - pairs, processes: 1, seed }, console.log);
acknowledged += await runRounds({ rounds: pairs, processes: 2, seed }, console.log);
console.log(`${rounds} rounds: ${acknowledged} operations were acknowledged, and all of them hold`);

const place = await openPlace();
const failed: string[] = [];
const wanted = new RegExp(values.of);
const judge =
  (limit: () => number) =>
  ({ name, probes, peakMib }: Noticed): void => {
    const times = probes.map(({ ms }) => ms).sort((one, other) => one - other);
    const p99 = Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
    const refused = probes.filter(({ status }) => ![200, 201].includes(status)).length;
    if (name === 'control') allowed = Math.max(P99_MS, TIMES_CONTROL * p99);
    waits.push({ name, p99 });
    const isGood = p99 < limit() && refused === 0 && (peakMib ?? 0) < 1024;
    if (!isGood) failed.push(name);
    console.log(
      `${isGood ? 'ok  ' : 'FAIL'} ${name}: ${probes.length} answers to others, p99 ${p99} ms, ${peakMib} MiB`,
    );
  };
try {
  await tryToStall(
    place,
    { calls: 20, texts: 100, files: 5_000, of: ({ name }) => wanted.test(name) },
    judge(() => allowed),
  );
  await tryMails(
    place,
    ({ name }) => wanted.test(`mail: ${name}`),
    judge(() => MAIL_P99_MS),
  );
  if (wanted.test('account'))
    await fillAndDelete(
      place,
      { links: 99_000, files: 5_000 },
      judge(() => P99_MS),
    );
} finally {
  await place.remove();
}
const worst = waits.sort((one, other) => other.p99 - one.p99).slice(0, 10);
console.log(`others waited longest for: ${worst.map(({ name, p99 }) => `${name} (${p99} ms)`).join(', ')}`);
if (failed.length > 0) {
  console.log(`others waited, or memory was used up: ${failed.join(', ')}`);
  process.exitCode = 1;
}
