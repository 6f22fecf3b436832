import type { Metric } from '../metrics/metric.js';

/** Messages from the supervisor to a worker. */
export type FromSupervisor =
  /** Take no new connections, finish the open ones, then exit. */
  | { readonly tell: 'retire' }
  /** Report your own metrics. */
  | { readonly tell: 'read'; readonly id: number }
  /** The requested metrics of all workers. */
  | { readonly tell: 'metrics'; readonly id: number; readonly all: readonly (readonly Metric[])[] };

/** Messages from a worker to the supervisor. */
export type FromWorker =
  | { readonly ask: 'metrics'; readonly id: number }
  | { readonly answer: 'read'; readonly id: number; readonly own: readonly Metric[] };
