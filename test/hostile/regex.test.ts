/**
 * No regular expression of the program can be exploited for denial of service: each is tried on its
 * worst-case texts.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collectExpressions, type Expression } from './regex/expressions.js';
import type { RegexStep, RegexTask } from './regex/worker.js';

/** Number of repetitions: milliseconds in linear time, and at least twice the limit in quadratic time. */
const TIMES = 100_000;
/** Processor time for one text. */
const LIMIT_MS = 2_000;
const WATCH_MS = 100;
/** A busy parent may read messages of its child late; it looks again before it trusts its clock. */
const LOOKS = 3;

/** A text that an expression is tried on. */
type StuckStep = Exclude<RegexStep, string | null>;

/** The expressions that exceeded the limit, each with the text that took too long. */
async function stuckOf(expressions: readonly Expression[]): Promise<string[]> {
  const stuck: string[] = [];
  for (let at = 0; at < expressions.length; ) {
    const rest = expressions.slice(at);
    const last = await tryAll({ expressions: rest, times: TIMES });
    if (last === null) break;
    const found = rest[last.expression];
    stuck.push(`${found?.file}: /${found?.source}/${found?.flags} on ${JSON.stringify(last.text)}`);
    at += last.expression + 1;
  }
  return stuck;
}

/** Runs a process until it has tried everything (null), or until one text exceeds the limit. */
function tryAll(task: RegexTask): Promise<StuckStep | null> {
  const child = fork(fileURLToPath(new URL(`./regex/worker${extname(import.meta.url)}`, import.meta.url)));
  let watch: NodeJS.Timeout | undefined;
  return new Promise<StuckStep | null>((resolve, reject) => {
    let step: RegexStep = null;
    let since: number | null = null;
    let looks = 0;
    child.on('message', (next: RegexStep) => {
      step = next;
      since = null;
      if (step === null) resolve(null);
    });
    watch = setInterval(() => {
      const now = processorMsOf(child.pid);
      if (since === null) looks = 0;
      since ??= now;
      if (step !== null && step !== 'making texts' && now - since > LIMIT_MS && ++looks === LOOKS)
        resolve(step);
    }, WATCH_MS);
    child.once('exit', () => reject(new Error(`an expression that throws: ${JSON.stringify(step)}`)));
    child.send(task);
  }).finally(() => {
    clearInterval(watch);
    child.kill('SIGKILL');
  });
}

/** User time of a process; the wall clock where that is not available. */
function processorMsOf(pid: number | undefined): number {
  try {
    // Ticks of 10 ms, after the name in brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) * 10;
  } catch {
    return performance.now();
  }
}

const test = suite('regular expressions');

test('all of them stay within the limit', async () => {
  const expressions = collectExpressions();
  assert.ok(expressions.length > 150, `${expressions.length} found`);
  assert.equal(await stuckOf(expressions), []);
});

test('a slow one would be found', async () => {
  const slow = [/\/+$/, /<!DOCTYPE[^>]*\[/i, /\s*!\s*important\s*$/i].map(({ source, flags }) => ({
    source,
    flags,
    file: '',
  }));
  assert.is((await stuckOf(slow)).length, slow.length);
});

test.run();
