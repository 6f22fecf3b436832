import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { compiled } from './compile.mjs';

/** How long a process may continue after its last file, in milliseconds; after that, something was left open. */
const GRACE_MS = 10_000;

/** Output kept per file, in characters; the end is the informative part. */
const KEPT = 4_000_000;

const RUN = fileURLToPath(new URL('run-files.mjs', import.meta.url));

const running = new Set();

/** Kills every process of tests, with everything it started. */
export function killAll() {
  for (const child of running) killGroup(child);
}

/**
 * A process that runs test files one after the other: the leader of its own process group, so that nothing the files
 * start survives it. Each file has the time limit for itself.
 */
export function startTestProcess({ limitSeconds, env }) {
  const child = spawn(process.execPath, ['--enable-source-maps', RUN], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env, NODE_ENV: 'test', FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
  });
  running.add(child);
  const paths = child.stdio[3];
  // A process that has crashed is reported by its exit.
  paths.on('error', () => {});

  let output = '';
  let current = null;
  const keep = (chunk) => {
    output = (output + chunk).slice(-KEPT);
    const [, path, cpuMs] = /^# ran: (.*), (\d+) ms$/m.exec(output.slice(-1000)) ?? [];
    if (path !== undefined && path === current?.path) current.done({ cpuMs: Number(cpuMs) });
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  child.on('exit', () => killGroup(child));
  const ended = new Promise((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      current?.done({ crash: current.killed ?? `ended without a result (${signal ?? `exit code ${code}`})` });
      resolve(code);
    });
  });

  return {
    /**
     * Runs a file and returns its counts, the skip lines, its output, its seconds and processor seconds (of this process
     * alone, null after a crash), and `problem` (null if the file itself behaved): uvu reports nothing if a file throws,
     * hangs, or forgets to run its suites.
     */
    run(file) {
      const path = compiled(file);
      const started = Date.now();
      output = '';
      return new Promise((resolve) => {
        const limit = wait(() => {
          current.killed = `took longer than ${limitSeconds} s`;
          killGroup(child);
        }, limitSeconds * 1000);
        const done = ({ cpuMs = null, crash = null }) => {
          clearTimeout(limit);
          current = null;
          const seconds = (Date.now() - started) / 1000;
          resolve({
            seconds,
            cpuSeconds: cpuMs === null ? null : cpuMs / 1000,
            output,
            ...judge(output, crash),
          });
        };
        current = { path, done, killed: null };
        if (child.exitCode !== null || child.signalCode !== null) done({ crash: 'its process had ended' });
        else paths.write(`${path}\n`);
      });
    },
    /** Ends the process, and returns what was wrong with that: null, or a sentence. */
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return null;
      let late = false;
      const grace = wait(() => {
        late = true;
        killGroup(child);
      }, GRACE_MS);
      output = '';
      paths.end();
      const code = await ended;
      clearTimeout(grace);
      if (late) return 'did not end after its tests: something is left open';
      return code === 0 || code === 1 ? null : `exit code ${code} after its tests\n${output}`;
    },
    /** Whether it can take another file. */
    isAlive: () => child.exitCode === null && child.signalCode === null,
  };
}

function judge(output, crash) {
  const counted = totals(output);
  const skipped = [...output.matchAll(/^# skipped:.*$/gm)].map(([line]) => line);
  const { total, passed, skips } = counted ?? { total: 0, passed: 0, skips: 0 };
  if (skips > skipped.length) skipped.push(`# skipped: ${skips} marked with .skip`);
  const failed = total - passed;
  const [, empty] = skipped.length > 0 ? [] : (/^# empty: (.*)$/m.exec(output) ?? []);
  const problem = crash ?? (empty === undefined ? null : `${empty} holds no test`);
  return { passed, failed: problem !== null && failed === 0 ? 1 : failed, skipped, problem };
}

/** The summary that uvu prints at the end of a file; null before that. */
function totals(output) {
  const found = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)/m.exec(
    stripVTControlCharacters(output.slice(-4000)),
  );
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
