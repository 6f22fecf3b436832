import { readdir, readFile, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { ReadHost } from '../../../routers/base/ports/host.js';

const MILLISECONDS = 1000;

/** Reads the figures of this machine and process; `dataDir` names the file system whose space is reported. */
export function createHostReader(dataDir: string): ReadHost {
  let before = { busy: 0, all: 0, own: 0, at: performance.timeOrigin };

  return async () => {
    const now = processorTimes();
    const { user, system } = process.cpuUsage();
    const own = (user + system) / MILLISECONDS;
    const at = Date.now();
    const processors = availableParallelism();
    const elapsed = Math.max(1, at - before.at) * processors;
    const systemCpu = share(now.busy - before.busy, now.all - before.all);
    const processCpu = share(own - before.own, elapsed);
    before = { ...now, own, at };
    const [disk, openFiles, maxFiles] = await Promise.all([
      statfs(dataDir),
      countOpenFiles(),
      readFileLimit(),
    ]);
    const memory = process.memoryUsage();
    return {
      systemCpu,
      processCpu,
      processors,
      startedAt: Math.round(performance.timeOrigin),
      uptimeMs: Math.round(process.uptime() * MILLISECONDS),
      memory: {
        used: Math.min(memory.heapUsed + memory.external, memory.rss),
        committed: memory.rss,
        // Without a limit the first is 0 or enormous.
        max: Math.max(
          memory.rss,
          Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
        ),
      },
      disk: { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize },
      openFiles,
      maxFiles,
    };
  };
}

/** Milliseconds that all processors together were busy, and in all. */
function processorTimes(): { readonly busy: number; readonly all: number } {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { busy: all - idle, all };
}

const share = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));

/** Open descriptors of this process; null where the platform does not tell. */
export const countOpenFiles = (): Promise<number | null> =>
  readdir('/proc/self/fd').then(
    (names) => names.length,
    () => null,
  );

/** The soft limit of open files. */
const readFileLimit = (): Promise<number | null> =>
  readFile('/proc/self/limits', 'utf8').then(
    (text) => Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.NaN) || null,
    () => null,
  );
