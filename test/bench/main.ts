/**
 * `npm run bench [-- rows | workers | scaling] [words… --seconds=5 --rounds=3]`: compares the built server with the
 * best that the machine can do, in one run. Server and references are pinned to one processor, the load
 * generator to another. The words select cases by name. Prints a table and writes `bench-results.json`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Stage } from './case.js';
import { measure, type Result } from './measure.js';
import { pinSelf } from './processors.js';
import { describeMachine, type Report, render } from './report.js';
import { everyday } from './stages/everyday.js';
import { rows } from './stages/rows.js';
import { scaling } from './stages/scaling.js';
import { workers } from './stages/workers.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '3' } },
});
const pace = { seconds: Number(values.seconds), rounds: Number(values.rounds) };

/** Slow or less informative stages run only on request. */
const special = { rows, workers, scaling };
const asked = Object.entries(special).find(([name]) => name === positionals[0])?.[1];
const words = asked === undefined ? positionals : positionals.slice(1);

process.once('SIGINT', () => process.exit(130));
pinSelf();
const folder = await mkdtemp(join(tmpdir(), 'holdall-bench-'));
try {
  const report = await bench();
  console.log(`\n${[render(report), ...report.summary].join('\n')}`);
  await writeFile('bench-results.json', `${JSON.stringify(report, null, 2)}\n`);
  process.exitCode = report.results.some(({ visits }) => visits?.exact === false) ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function bench(): Promise<Report> {
  const stops: (() => Promise<unknown>)[] = [];
  let stage: Stage | null = null;
  try {
    stage = await (asked ?? everyday)({ folder, atEnd: (stop) => stops.unshift(stop) });
    const results: Result[] = [];
    for (const { name, prepare } of stage.plans) {
      if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
      process.stderr.write(`${name}…\n`);
      results.push(await measure(name, await prepare(pace), pace));
    }
    const machine = describeMachine();
    const summary = stage.summary?.(results) ?? [];
    return {
      takenAt: new Date().toISOString(),
      machine,
      pace,
      results,
      memory: await stage.memory(),
      summary,
    };
  } catch (error) {
    process.stderr.write(`${stage?.output() ?? ''}\n`);
    throw error;
  } finally {
    for (const stop of stops) await stop();
  }
}
