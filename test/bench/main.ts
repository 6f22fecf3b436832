/**
 * `npm run bench [-- words… --seconds=5 --rounds=3]`: measures the built server against what the machine can
 * do at best, in one run. Server and references are pinned to one processor, the load generator to another.
 * The words choose cases by name. Prints a table and writes `bench-results.json`.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepareCases } from './cases.js';
import { startHoldall } from './holdall.js';
import { measure, type Result } from './measure.js';
import { residentMiB, watchMemory } from './processes.js';
import { describeMachine, type Report, render, type Visits } from './report.js';
import { makeSamples } from './samples.js';

const IDLE_AIM_MIB = 150;
const IDLE_MS = 10_000;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
});
const pace = { seconds: Number(values.seconds), rounds: Number(values.rounds) };

const folder = await mkdtemp(join(tmpdir(), 'holdall-bench-'));
try {
  const report = await bench();
  console.log(`\n${render(report)}`);
  await writeFile('bench-results.json', `${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = report.visits?.exact === false ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function bench(): Promise<Report> {
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const started = performance.now();
  const holdall = await startHoldall(dataDir);
  const startMs = performance.now() - started;
  try {
    await delay(IDLE_MS);
    const idleMiB = residentMiB(holdall.server.pid);
    const { cases, linkId, stop } = await prepareCases(holdall, await makeSamples(folder), folder);
    const peak = watchMemory(holdall.server.pid);
    const results: Result[] = [];
    let visits: Visits | null = null;
    for (const task of cases.filter(
      ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
    )) {
      process.stderr.write(`${task.name}…\n`);
      const before = await holdall.visits(linkId);
      const result = await measure(task, pace);
      if (task.subject.url.endsWith(linkId))
        visits = compare(result, (await holdall.visits(linkId)) - before);
      results.push(result);
    }
    await stop();
    const memory = { startMs, idleMiB, idleAimMiB: IDLE_AIM_MIB, peakMiB: peak() };
    return { takenAt: new Date().toISOString(), machine: describeMachine(), pace, results, memory, visits };
  } catch (error) {
    process.stderr.write(`${holdall.server.output()}\n`);
    throw error;
  } finally {
    await holdall.server.stop();
  }
}

/** A visit under way when the load generator closes may be counted and not seen. */
function compare({ answered, underWay }: Result, counted: number): Visits {
  return { answered, counted, underWay, exact: counted >= answered && counted <= answered + underWay };
}
