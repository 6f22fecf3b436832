import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../until.js';

/** A bound of memory that processes share, without swapping, as on a machine that has no more. */
export interface SmallMachine {
  /** Goes in front of a command that runs on it, with one processor. */
  readonly wrap: readonly string[];
  /** How often a process was killed because there was no memory left. */
  killed(): number;
  /** Once all of its processes have ended. */
  remove(): Promise<void>;
}

/** Where bounds of memory are kept, and under which names: control groups of version 2, or 1. */
const GROUPS = [
  {
    folder: '/sys/fs/cgroup',
    needs: 'cgroup.controllers',
    limits: ['memory.max'],
    noSwap: 'memory.swap.max',
    events: 'memory.events',
  },
  {
    folder: '/sys/fs/cgroup/memory',
    needs: 'memory.limit_in_bytes',
    limits: ['memory.limit_in_bytes'],
    noSwap: 'memory.swappiness',
    events: 'memory.oom_control',
  },
] as const;

/** A machine with so much memory; null, with the reason on the console, where a process may not bound others. */
export function smallMachine(bytes: number): SmallMachine | null {
  const kind = GROUPS.find(({ folder, needs }) => existsSync(join(folder, needs)));
  const folder = join(kind?.folder ?? '', `holdall-test-${process.pid}`);
  try {
    if (kind === undefined) throw new Error('no control groups');
    if (kind.needs === 'cgroup.controllers')
      writeFileSync(join(kind.folder, 'cgroup.subtree_control'), '+memory');
    mkdirSync(folder);
    for (const limit of kind.limits) writeFileSync(join(folder, limit), String(bytes));
    if (existsSync(join(folder, kind.noSwap))) writeFileSync(join(folder, kind.noSwap), '0');
  } catch (error) {
    // In a container nothing can provide them.
    console.log(`# not tried: memory cannot be bounded here: ${(error as Error).message}`);
    return null;
  }
  const { events } = kind;
  return {
    wrap: [
      'sh',
      '-c',
      `echo $$ > ${join(folder, 'cgroup.procs')} && exec taskset -c 0 "$@"`,
      'small-machine',
    ],
    killed: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(folder, events), 'utf8'))?.[1] ?? NaN),
    remove: async () => {
      await until(() => readFileSync(join(folder, 'cgroup.procs'), 'utf8') === '');
      rmdirSync(folder);
    },
  };
}
