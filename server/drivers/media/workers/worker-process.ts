import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { MediaBusy, MediaStopped, MediaUnsupported } from '../../../../routers/base/ports/media/media.js';
import { built } from '../../../shared/root.js';
import { READY, type TaskReply, type TaskRequest } from './tasks.js';

const ENTRY = built('server', 'drivers', 'media', 'workers', 'main.js');
const MB = 1024 * 1024;
/** What a child process may use of memory, in MiB. */
export interface WorkerMemory {
  readonly resident: number;
  readonly heap: number;
  /** If it uses more after a task, it is replaced, so that the next task has enough. */
  readonly slim: number;
}
/** How long a task may take, in milliseconds. */
export interface TaskTime {
  /** By the clock. */
  readonly clockMs: number;
  /** Of the processor, for work that others may hold up; no limit of its own if omitted. */
  readonly processorMs?: number;
}
const MEMORY: WorkerMemory = { resident: 1024, heap: 512, slim: 320 };
const WATCH_MS = 100;
/** What `/proc` counts the time of the processor in. */
const TICK_MS = 10;
/** How long a child process may take to start, however busy the machine is. */
const START_MS = 60_000;
const PAGE_BYTES = 4096;
/** What sharp says when its own time is up. */
const TIMED_OUT = /\btimeout: \d+% complete/;

const ended = { crashed: 0, killed: 0 };

/** How many child processes of this process crashed over a task, or were killed over it, since the start. */
export const endedWorkers = (): Readonly<typeof ended> => ended;

/** The child process exited while it was working. */
class ChildDied extends Error {
  /** The system kills when memory is short; a crash has another signal. */
  constructor(readonly killed: boolean) {
    super();
  }
}

/**
 * A child process that runs one task at a time. It gets an empty environment (so it holds no secrets) and is killed
 * if a task takes too much time or memory; the next task starts a new one.
 */
export class WorkerProcess {
  #child: ChildProcess | null = null;
  /** Whether the child has started and takes tasks. */
  #ready = false;
  #idle: NodeJS.Timeout | null = null;

  /** `priority` is the `nice` value of the child: 0 is normal, higher is less. */
  constructor(
    private readonly idleMs: number,
    private readonly priority = 0,
    private readonly memory = MEMORY,
  ) {}

  /**
   * Runs one task; a number is milliseconds by the clock. Throws `MediaUnsupported` if the file is to blame, even if it crashed the worker, and `MediaBusy` if
   * the worker has not started in time; it goes on starting, for the next task.
   */
  async run(request: TaskRequest, time: TaskTime | number): Promise<unknown> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    try {
      for (;;) {
        const used = this.#child !== null;
        try {
          return await this.#attempt(request, typeof time === 'number' ? { clockMs: time } : time);
        } catch (error) {
          if (!(error instanceof ChildDied)) throw error;
          // An earlier file may have damaged a reused child; only the result of a new child counts.
          if (!used)
            throw error.killed
              ? new MediaStopped('memory')
              : new MediaUnsupported('the file cannot be decoded');
          this.stop();
        }
      }
    } finally {
      this.#idle = setTimeout(() => this.stop(), this.idleMs).unref();
    }
  }

  /** Kills the child; a running task fails. */
  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  async #attempt(request: TaskRequest, time: TaskTime): Promise<unknown> {
    const child = this.#child ?? this.#start();
    // Only a working child keeps this process alive.
    child.ref();
    child.channel?.ref();
    try {
      return await this.#ask(child, request, time);
    } finally {
      child.unref();
      child.channel?.unref();
      if (residentBytes(child.pid) > this.memory.slim * MB) this.stop();
    }
  }

  #start(): ChildProcess {
    const child = fork(ENTRY, {
      env: {},
      execArgv: [...process.execArgv, `--max-old-space-size=${this.memory.heap}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Bytes stay bytes.
      serialization: 'advanced',
    });
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    this.#child = child;
    this.#ready = false;
    const late = setTimeout(() => child.kill('SIGKILL'), START_MS).unref();
    child.once('message', () => {
      clearTimeout(late);
      if (this.#child === child) this.#ready = true;
    });
    this.#lower(child);
    return child;
  }

  #lower({ pid }: ChildProcess): void {
    try {
      if (pid !== undefined && this.priority !== 0) setPriority(pid, this.priority);
    } catch {
      // The child has exited or the system does not permit it. The next task notices an exit.
    }
  }

  #ask(
    child: ChildProcess,
    request: TaskRequest,
    { clockMs, processorMs = Number.POSITIVE_INFINITY }: TaskTime,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        clearInterval(watch);
        child.off('exit', onExit).off('error', onError).off('message', onMessage);
        end();
      };
      const kill = (why: 'time' | 'memory') => {
        ended.killed += 1;
        settle(() => reject(new MediaStopped(why)));
        if (this.#child === child) this.stop();
      };
      let sent = false;
      const send = () => {
        sent = true;
        child.send(request, (error) => {
          if (error !== null) onExit();
        });
      };
      const onExit = (_code?: number | null, signal?: NodeJS.Signals | null) => {
        const killed = signal === 'SIGKILL';
        ended[killed ? 'killed' : 'crashed'] += 1;
        settle(() => reject(new ChildDied(killed)));
      };
      const onError = (error: Error) => settle(() => reject(error));
      const onMessage = (reply: TaskReply | typeof READY) => {
        if (reply === READY) return send();
        settle(() => {
          if (reply.spent && this.#child === child) this.stop();
          if ('output' in reply) resolve(reply.output);
          else if (reply.fault === null)
            reject(
              TIMED_OUT.test(reply.error) ? new MediaStopped('time') : new MediaUnsupported(reply.error),
            );
          else reject(Object.assign(new Error(reply.error), { code: reply.fault }));
        });
      };
      const timer = setTimeout(() => {
        if (sent) kill('time');
        else settle(() => reject(new MediaBusy()));
      }, clockMs);
      const before = processorTimeOf(child.pid);
      const watch = setInterval(() => {
        if (residentBytes(child.pid) > this.memory.resident * MB) kill('memory');
        else if (processorTimeOf(child.pid) - before > processorMs) kill('time');
      }, WATCH_MS);
      child.once('exit', onExit).once('error', onError).on('message', onMessage);
      if (this.#ready) send();
    });
  }
}

/**
 * The resident memory of a process; 0 if the system does not report it (then only pixels and time are limited). Read
 * synchronously: /proc is not on a disk, and the next task waits for the result.
 */
function residentBytes(pid: number | undefined): number {
  try {
    const statm = readFileSync(`/proc/${pid}/statm`, 'latin1');
    return Number(statm.split(' ')[1] ?? 0) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

/** The processor time of a process in milliseconds; 0 if the system does not report it. */
function processorTimeOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, which may hold anything, ends with the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
