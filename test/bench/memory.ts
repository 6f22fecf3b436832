import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process and all its descendants, in MiB; null where the system does not tell. */
export function residentMiB(pid: number): number | null {
  const processes = readProcesses();
  if (processes === null) return null;
  const family = new Set([pid]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const { id, parent } of processes) {
      if (family.has(parent) && !family.has(id)) grown = family.add(id).size > 0;
    }
  }
  const kib = processes.filter(({ id }) => family.has(id)).reduce((sum, { resident }) => sum + resident, 0);
  return kib / 1024;
}

/** Watches the memory of a process until the answered function is called, which tells the peak in MiB. */
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

interface Process {
  readonly id: number;
  readonly parent: number;
  /** KiB. */
  readonly resident: number;
}

function readProcesses(): Process[] | null {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const status = readStatus(name);
        if (status === null) return [];
        const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
        return [{ id: Number(name), parent: field('PPid'), resident: field('VmRSS') }];
      });
  } catch {
    return null;
  }
}

/** Null when the process ended meanwhile. */
function readStatus(id: string): string | null {
  try {
    return readFileSync(`/proc/${id}/status`, 'utf8');
  } catch {
    return null;
  }
}
