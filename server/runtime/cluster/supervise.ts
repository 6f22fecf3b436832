import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../logger.js';
import { gatherFor, tell } from './gather.js';
import type { FromWorker } from './messages.js';

/** Delay before a worker that exited is replaced; doubled while replacements also exit early. */
const BACKOFF_MS = { first: 500, longest: 30_000 } as const;
/** A worker that ran for this long counts as healthy; the delay is reset. */
const STEADY_MS = 60_000;
/** After this time, beside what workers wait before it, the shutdown kills those that are still running. */
const END_MS = 23_500;

/** Signals that end the server after a drain; a closed terminal sends SIGHUP. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Runs `count` workers, each a full server on the shared port, and does nothing else itself. A worker that dies is
 * replaced. `STOP_SIGNALS` stop all of them; SIGUSR2 replaces them one by one without losing a request. Resolves
 * with the exit code once every worker has drained, or with 1 at once if the first one cannot start. Workers take up to
 * `stopDelayMs` before they begin to drain.
 */
export async function supervise(count: number, stopDelayMs: number, log: Logger): Promise<number> {
  const ending = new AbortController();
  /** Workers that are not restarted when they exit, because another one takes their place. */
  const replaceable = new WeakSet<Worker>();
  /** Workers that listen and can receive messages. */
  const serving = new WeakSet<Worker>();
  let started = false;
  let failed = false;
  let wait: number = BACKOFF_MS.first;

  /**
   * Resolves with the new worker once it listens; null if it exited first or all are ending. Rejects if it cannot be
   * started.
   */
  async function launch(successor = false): Promise<Worker | null> {
    // A worker started after the shutdown signal would never receive it.
    if (ending.signal.aborted) return null;
    const worker = cluster.fork();
    // Until the successor listens, the worker it replaces is still running.
    if (successor) replaceable.add(worker);
    worker.once('listening', () => {
      serving.add(worker);
      if (successor) replaceable.delete(worker);
    });
    const born = performance.now();
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (ending.signal.aborted) failed ||= code !== 0 && !isStop(signal);
      else if (!replaceable.has(worker)) void replace(performance.now() - born, code, signal);
    });
    const over = once(worker, 'exit').then(() => null);
    return Promise.race([once(worker, 'listening').then(() => worker), over]);
  }

  async function replace(livedMs: number, code: number | null, signal: string | null): Promise<void> {
    if (!started) return;
    log.error({ exitCode: code, signal }, 'a worker ended; starting another one');
    await follow(livedMs);
  }

  /** Starts a worker after a delay that grows while none lives long; retries until one starts. */
  async function follow(livedMs: number): Promise<void> {
    wait = livedMs > STEADY_MS ? BACKOFF_MS.first : Math.min(2 * wait, BACKOFF_MS.longest);
    await pause(wait, undefined, { signal: ending.signal }).catch(() => {});
    if (ending.signal.aborted) return;
    await launchOrFollow();
  }

  async function launchOrFollow(): Promise<void> {
    try {
      await launch();
    } catch (error) {
      log.error({ err: error }, 'a worker could not be started');
      await follow(0);
    }
  }

  async function replaceAll(): Promise<void> {
    log.info({}, 'replacing the workers');
    for (const worker of workers()) {
      if (await replaceOne(worker)) continue;
      if (!ending.signal.aborted) log.error({}, 'a new worker did not start; the other workers keep running');
      return;
    }
    log.info({}, 'the workers were replaced');
  }

  /** Starts a successor, then stops the worker; false if no successor started. A dead worker already has its own. */
  async function replaceOne(worker: Worker): Promise<boolean> {
    if (worker.isDead()) return true;
    // From now on the successor takes its place, however it exits.
    replaceable.add(worker);
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    let replaced = false;
    try {
      replaced = (await launch(true)) !== null && !ending.signal.aborted;
    } finally {
      if (!replaced) replaceable.delete(worker);
      if (!replaced && worker.isDead() && !ending.signal.aborted) void follow(0);
    }
    if (!replaced) return false;
    // A worker that is still starting serves no requests and would miss the message.
    if (serving.has(worker)) tell(worker, { tell: 'retire' });
    else worker.process.kill('SIGTERM');
    await gone;
    return true;
  }

  function end(signal: NodeJS.Signals): void {
    // Also a second one: Ctrl-C ends the wait before the drain.
    for (const worker of workers()) worker.process.kill(signal);
    if (ending.signal.aborted) return;
    log.info({ signal }, 'draining');
    ending.abort();
    setTimeout(() => {
      failed = true;
      for (const worker of workers()) worker.process.kill('SIGKILL');
    }, stopDelayMs + END_MS).unref();
  }

  // The first worker starts alone: a wrong setting, a taken port or a long migration would affect all of them.
  // It is forked in a later step: who sees it may send a signal, which ends this process until it is handled.
  const first = Promise.resolve().then(() => launch());
  // Replacing waits until the first worker listens: if that one fails, the start has failed.
  let replacing: Promise<unknown> = first;
  for (const name of STOP_SIGNALS) process.on(name, end);
  process.on('SIGUSR2', () => {
    replacing = replacing.then(replaceAll).catch((error: unknown) => {
      log.error({ err: error }, 'the workers could not be replaced');
    });
  });
  cluster.on('message', (worker, message: FromWorker) => {
    if ('ask' in message) void gatherFor(worker, message);
  });

  if ((await first) === null && !ending.signal.aborted) return 1;
  started = true;
  if (!ending.signal.aborted) await Promise.all(Array.from({ length: count - 1 }, launchOrFollow));
  while (!ending.signal.aborted || workers().length > 0) await once(cluster, 'exit');
  log.info({}, 'stopped');
  return failed ? 1 : 0;
}

/** A worker that is still starting has no handler for the signal that stops it. */
const isStop = (signal: string | null): boolean => STOP_SIGNALS.some((name) => name === signal);

/** Running workers. `cluster.workers` also keeps those whose process could not be started. */
const workers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker?.process.pid !== undefined) as Worker[];
