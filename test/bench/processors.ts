import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Everything measured runs on this processor, one thing at a time. */
export const SERVER_CORE = 0;

/** The load generator runs on this one, and so does the bench itself. */
export const LOAD_CORE = 1;

/** For two processes of one server: away from the load generator, if there are enough processors. */
export const TWO_CORES = availableParallelism() >= 4 ? [2, 3] : [SERVER_CORE, LOAD_CORE];

/** Whether a program can be found. */
export function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore', env: searchPath() });
    return true;
  } catch {
    return false;
  }
}

/** The environment with the folders of system programs, such as nginx, on the path. */
export function searchPath(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
}

const canPin = availableParallelism() > 1 && has('taskset');

/** The prefix that pins a command to these processors; empty if that is not possible. */
export function pinnedTo(...cores: readonly number[]): readonly string[] {
  return canPin ? ['taskset', '-c', cores.join(',')] : [];
}

/** Keeps the bench itself, which is sometimes a client, away from the measured processor. */
export function pinSelf(): void {
  if (canPin) execFileSync('taskset', ['-acp', String(LOAD_CORE), String(process.pid)], { stdio: 'ignore' });
}

/**
 * Runs `work` and returns how busy a processor was meanwhile, 0 to 1; null if the system does not report it.
 */
export async function busyDuring<T>(
  core: number,
  work: () => Promise<T>,
): Promise<{ value: T; busy: number | null }> {
  const before = ticks(core);
  const value = await work();
  const after = ticks(core);
  if (before === null || after === null || after.total === before.total) return { value, busy: null };
  return { value, busy: 1 - (after.idle - before.idle) / (after.total - before.total) };
}

function ticks(core: number): { idle: number; total: number } | null {
  let stat: string;
  try {
    stat = readFileSync('/proc/stat', 'utf8');
  } catch {
    return null;
  }
  const numbers = new RegExp(`^cpu${core} (.*)$`, 'm').exec(stat)?.[1]?.split(' ').map(Number);
  if (numbers === undefined) return null;
  const [, , , idle = 0, waiting = 0] = numbers;
  return { idle: idle + waiting, total: numbers.slice(0, 8).reduce((sum, number) => sum + number, 0) };
}
