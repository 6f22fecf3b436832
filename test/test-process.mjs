import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { compiled } from './compile.mjs';

/** How long a file may continue after its last test, in milliseconds; after that, something was left open. */
const GRACE = 10_000;

/** Output kept per file, in characters; the end is the informative part. */
const KEPT = 4_000_000;

const RUN = fileURLToPath(new URL('run-files.mjs', import.meta.url));

const running = new Set();

/** Kills every running test file, with everything it started. */
export function killAll() {
  for (const child of running) killGroup(child);
}

/**
 * Runs test files in one process, the leader of its own process group, so that nothing they start survives
 * it. Returns their counts, the skip lines, their output, and `problem` (null if the files themselves
 * behaved): uvu reports nothing if a file throws, hangs, or forgets to run its suites.
 */
export function runFiles(paths, { limitSeconds, env }) {
  return new Promise((resolve) => {
    const started = Date.now();
    const args = ['--enable-source-maps', RUN, ...paths.map(compiled)];
    const child = spawn(process.execPath, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, NODE_ENV: 'test', FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
    });
    running.add(child);
    let output = '';
    let killed = null;
    const kill = (reason) => {
      killed ??= reason;
      killGroup(child);
    };
    // Each file has this time: uvu prints the name of a file when its turn comes.
    const limit = wait(() => kill(`took longer than ${limitSeconds} s`), limitSeconds * 1000);
    let grace;
    const keep = (chunk) => {
      if (paths.some((path) => chunk.includes(compiled(path)))) limit.refresh();
      output = (output + chunk).slice(-KEPT);
      if (grace === undefined && totals(output) !== null) {
        grace = wait(() => kill('did not end after its tests: something is left open'), GRACE);
      }
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('exit', () => killGroup(child));
    child.on('close', (code) => {
      running.delete(child);
      clearTimeout(limit);
      clearTimeout(grace);
      resolve({ seconds: (Date.now() - started) / 1000, output, ...judge(output, code, killed) });
    });
  });
}

function judge(output, code, killed) {
  const counted = totals(output);
  const skipped = [...output.matchAll(/^# skipped:.*$/gm)].map(([line]) => line);
  const { total, passed, skips } = counted ?? { total: 0, passed: 0, skips: 0 };
  if (skips > skipped.length) skipped.push(`# skipped: ${skips} marked with .skip`);
  const failed = total - passed;
  const [, empty] = /^# empty: (.*)$/m.exec(output) ?? [];
  const problem = killed ?? fault(counted, code, failed, skipped.length > 0 ? undefined : empty);
  return { passed, failed: problem !== null && failed === 0 ? 1 : failed, skipped, problem };
}

function fault(counted, code, failed, empty) {
  if (counted === null) return `ended without a result (exit code ${code})`;
  if (empty !== undefined) return `${empty} holds no test`;
  if (code !== 0 && failed === 0) return `exit code ${code} after its tests had passed`;
  return null;
}

/** The summary that uvu prints at the end of a file; null before that. */
function totals(output) {
  const tail = stripVTControlCharacters(output.slice(-2000));
  const found = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)/m.exec(tail);
  if (found === null) return null;
  const [total, passed, skips] = found.slice(1).map(Number);
  return { total, passed, skips };
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // Already gone, or (macOS) only waiting to be reaped.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}
