import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Resident memory of a process and all its descendants, in MiB; null if the system does not report it. */
export function residentMiB(pid: number): number | null {
  const kib = sumOver(pid, (id) => Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${id}/status`))?.[1] ?? 0));
  return kib === null ? null : kib / 1024;
}

/** Monitors the memory of a process until the returned function is called, which returns the peak in MiB. */
export function watchMemory(pid: number): () => number | null {
  let peak: number | null = null;
  const look = () => {
    const now = residentMiB(pid);
    if (now !== null) peak = Math.max(peak ?? 0, now);
  };
  const timer = setInterval(look, 200);
  return () => {
    clearInterval(timer);
    look();
    return peak;
  };
}

/**
 * CPU time used by a process and its descendants so far, in seconds; null if the system does not report it.
 * Unlike a rate it does not depend on other load on the machine.
 */
export function processorSeconds(pid: number): number | null {
  const ticks = sumOver(pid, (id) => {
    // User, system, and those of children that have ended.
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = statFields(id)
      .slice(11, 15)
      .map(Number);
    return user + system + userOfEnded + systemOfEnded;
  });
  return ticks === null ? null : ticks / TICKS_PER_SECOND;
}

/** A process and all its descendants; null if the system does not report them. */
export function familyOf(pid: number): number[] | null {
  let ids: number[];
  try {
    ids = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return null;
  }
  const parents = new Map(ids.map((id) => [id, Number(statFields(id)[1] ?? 0)]));
  const belongs = (id: number): boolean => id === pid || (id > 1 && belongs(parents.get(id) ?? 0));
  return ids.filter(belongs);
}

const sumOver = (pid: number, measure: (id: number) => number): number | null =>
  familyOf(pid)?.reduce((sum, id) => sum + measure(id), 0) ?? null;

/**
 * The fields of `/proc/<id>/stat` after the name, which may contain spaces; empty if the process has ended.
 */
function statFields(id: number): string[] {
  const stat = read(`/proc/${id}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
