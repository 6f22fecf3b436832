import cluster, { type Worker } from 'node:cluster';
import { on } from 'node:events';
import type { Metric } from '../metrics/metric.js';
import type { FromSupervisor, FromWorker } from './messages.js';

/** A worker that has not reported its metrics after this time is left out. */
const READ_MS = 2_000;
/** The supervisor answers within this time or not at all. */
const GATHER_MS = 2 * READ_MS;

let reads = 0;

/** In the supervisor: sends a worker the metrics of all workers. */
export async function gatherFor(
  asker: Worker,
  question: Extract<FromWorker, { ask: 'metrics' }>,
): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true);
  const all = await Promise.all(workers.map((worker) => (worker === undefined ? [] : readFrom(worker))));
  if (asker.isConnected()) tell(asker, { tell: 'metrics', id: question.id, all });
}

/** Sends a message to a worker; ignored if the worker is gone. */
export function tell(worker: Worker, message: FromSupervisor): void {
  worker.send(message, undefined, () => {});
}

async function readFrom(worker: Worker): Promise<readonly Metric[]> {
  reads += 1;
  const id = reads;
  const answers = on(worker, 'message', { signal: AbortSignal.timeout(READ_MS) });
  tell(worker, { tell: 'read', id });
  try {
    for await (const [message] of answers as AsyncIterable<[FromWorker]>) {
      if ('answer' in message && message.id === id) return message.own;
    }
  } catch {
    // The worker is too busy or shutting down.
  }
  return [];
}

/** In a worker: reports its own metrics on request. Returns a function that requests those of all workers. */
export function shareMetrics(own: () => Promise<Metric[]>): () => Promise<readonly (readonly Metric[])[]> {
  const send = (message: FromWorker): void => {
    process.send?.(message, undefined, undefined, () => {});
  };
  process.on('message', (message: FromSupervisor) => {
    if (message.tell !== 'read') return;
    own().then(
      (metrics) => send({ answer: 'read', id: message.id, own: metrics }),
      () => {},
    );
  });
  let asked = 0;
  return async () => {
    asked += 1;
    const id = asked;
    const answers = on(process, 'message', { signal: AbortSignal.timeout(GATHER_MS) });
    send({ ask: 'metrics', id });
    try {
      for await (const [message] of answers as AsyncIterable<[FromSupervisor]>) {
        if (message.tell === 'metrics' && message.id === id) return message.all;
      }
    } catch {
      // Without an answer from a supervisor, report this process only.
    }
    return [await own()];
  };
}
