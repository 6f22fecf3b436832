/**
 * How much longer uploads take while words in pictures are read: `node --import tsx test/bench/reading-uploads.ts [rounds] [seconds]`
 * after a build. Two servers share a processor, one reads and one does not. Four clients send screens with words to each in
 * turn, while the other one stands still.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Holdall, startHoldall } from './holdall.js';
import { load, type Run } from './load.js';
import { familyOf } from './processes.js';
import { pinnedTo, SERVER_CORE } from './processors.js';
import { median } from './rate.js';
import { screenSample } from './samples.js';

const [rounds = 9, seconds = 5] = process.argv.slice(2).map(Number);
const CLIENTS = 4;
const WARM_UP_SECONDS = 3;

const folder = await mkdtemp(join(tmpdir(), 'holdall-reading-'));
const wrap = pinnedTo(SERVER_CORE);
const servers = {
  without: await startHoldall(join(folder, 'without'), { wrap }),
  with: await startHoldall(join(folder, 'with'), { wrap, env: { OCR: 'eng' } }),
};
type Name = keyof typeof servers;
const NAMES: readonly Name[] = ['without', 'with'];

/** The reader goes on with its picture when only its server stands still. */
const signal = ({ pid }: Holdall, name: NodeJS.Signals): void => {
  for (const id of familyOf(pid) ?? [pid]) process.kill(id, name);
};
const jobs = async ({ base }: Holdall): Promise<number> =>
  Number(
    /^holdall_jobs\{kind="words",state="waiting"\} (\d+)/m.exec(
      await (await fetch(`${base}/metrics`)).text(),
    )?.[1] ?? 0,
  );

try {
  const upload = await screenSample(folder, 60);
  const send = ({ pid, base, apiKey }: Holdall, time: number): Promise<Run> =>
    load({ pid, url: `${base}/image/upload`, upload, connections: CLIENTS, apiKey }, time);
  const runs: Record<Name, Run[]> = { without: [], with: [] };
  for (const name of NAMES) signal(servers[name], 'SIGSTOP');
  for (let round = 0; round <= rounds; round += 1)
    for (const name of round % 2 === 0 ? NAMES : NAMES.toReversed()) {
      const server = servers[name];
      signal(server, 'SIGCONT');
      const run = await send(server, round === 0 ? WARM_UP_SECONDS : seconds);
      signal(server, 'SIGSTOP');
      if (round === 0) continue;
      runs[name].push(run);
      process.stdout.write(
        `${name}: p50 ${run.p50Ms} ms, p99 ${run.p99Ms} ms, ${run.perSecond} a second, ${run.errors} errors\n`,
      );
    }
  const of = (name: Name, what: (run: Run) => number): number => median(runs[name].map(what));
  const ratio = (what: (run: Run) => number): string => (of('with', what) / of('without', what)).toFixed(2);
  signal(servers.with, 'SIGCONT');
  process.stdout.write(
    `p99 ${of('without', ({ p99Ms }) => p99Ms)} ms without, ${of('with', ({ p99Ms }) => p99Ms)} ms with: ${ratio(({ p99Ms }) => p99Ms)}; p50 ${ratio(({ p50Ms }) => p50Ms)}; rate ${ratio(({ perSecond }) => perSecond)}; ` +
      `${await jobs(servers.with)} pictures left to read; load ${loadavg()
        .map((one) => one.toFixed(1))
        .join(' ')}\n`,
  );
} finally {
  for (const name of NAMES) {
    signal(servers[name], 'SIGCONT');
    await servers[name].server.kill();
  }
  await rm(folder, { recursive: true, force: true });
}
