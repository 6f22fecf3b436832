import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { MediaUnsupported } from '../../../routers/ports/media.js';
import { built } from '../../root.js';
import type { TaskReply, TaskRequest } from './tasks.js';

const ENTRY = built('server', 'media', 'workers', 'main.js');
const HEAP_MB = 512;
const MAX_RESIDENT_BYTES = 1024 * 1024 * 1024;
/** A child that keeps more than this after a task is replaced, so that the next task starts with room. */
const SLIM_BYTES = 320 * 1024 * 1024;
const WATCH_MS = 100;
const PAGE_BYTES = 4096;

/** The child ended by itself while it worked. */
class ChildDied extends Error {}

/**
 * One child process that does one task at a time. It gets no environment (so it holds no secret), and it is
 * killed when a task takes too long or too much memory; the next task starts a new one.
 */
export class WorkerProcess {
  #child: ChildProcess | null = null;
  #idle: NodeJS.Timeout | null = null;

  /** `priority` is what the system schedules the child by, as `nice` counts it: 0 is usual, more is less. */
  constructor(
    private readonly idleMs: number,
    private readonly priority = 0,
  ) {}

  /** Runs one task. Throws `MediaUnsupported` when the file is to blame, however badly it behaved. */
  async run(request: TaskRequest, timeoutMs: number): Promise<unknown> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    try {
      for (;;) {
        const used = this.#child !== null;
        try {
          return await this.#attempt(request, timeoutMs);
        } catch (error) {
          if (!(error instanceof ChildDied)) throw error;
          // An earlier file may have left a used child damaged; what a new one says counts.
          if (!used) throw new MediaUnsupported('the file cannot be decoded');
          this.stop();
        }
      }
    } finally {
      this.#idle = setTimeout(() => this.stop(), this.idleMs).unref();
    }
  }

  /** Ends the child; a running task fails. */
  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  async #attempt(request: TaskRequest, timeoutMs: number): Promise<unknown> {
    const child = this.#child ?? this.#start();
    // Only a working child keeps this process alive.
    child.ref();
    child.channel?.ref();
    try {
      return await this.#ask(child, request, timeoutMs);
    } finally {
      child.unref();
      child.channel?.unref();
      if (residentBytes(child.pid) > SLIM_BYTES) this.stop();
    }
  }

  #start(): ChildProcess {
    const child = fork(ENTRY, {
      env: {},
      execArgv: [...process.execArgv, `--max-old-space-size=${HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    this.#child = child;
    this.#lower(child);
    return child;
  }

  #lower({ pid }: ChildProcess): void {
    try {
      if (pid !== undefined && this.priority !== 0) setPriority(pid, this.priority);
    } catch {
      // It has ended already, or the system does not allow it; whoever asks it for work finds out the former.
    }
  }

  #ask(child: ChildProcess, request: TaskRequest, timeoutMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        clearInterval(watch);
        child.off('exit', onExit).off('error', onError).off('message', onMessage);
        end();
      };
      const kill = (reason: string) => {
        settle(() => reject(new MediaUnsupported(reason)));
        if (this.#child === child) this.stop();
      };
      const onExit = () => settle(() => reject(new ChildDied()));
      const onError = (error: Error) => settle(() => reject(error));
      const onMessage = (reply: TaskReply) =>
        settle(() => {
          if ('output' in reply) resolve(reply.output);
          else if (reply.fault === null) reject(new MediaUnsupported(reply.error));
          else reject(Object.assign(new Error(reply.error), { code: reply.fault }));
        });
      const timer = setTimeout(() => kill('the file took too long to decode'), timeoutMs);
      const watch = setInterval(() => {
        if (residentBytes(child.pid) > MAX_RESIDENT_BYTES) kill('the file took too much memory to decode');
      }, WATCH_MS);
      child.once('exit', onExit).once('error', onError).once('message', onMessage);
      child.send(request, (error) => {
        if (error !== null) onExit();
      });
    });
  }
}

/**
 * Memory a process really holds; 0 where the system does not tell (then pixels and time are the bounds). It is no
 * file of a disk: to read it waits for nothing, and the next task for the child waits for it.
 */
function residentBytes(pid: number | undefined): number {
  try {
    const statm = readFileSync(`/proc/${pid}/statm`, 'latin1');
    return Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
