import type { Metric } from '../metrics/metric.js';

/** What the supervisor tells a worker. */
export type FromSupervisor =
  /** Take no new connection, serve those that are open, end. */
  | { readonly tell: 'retire' }
  /** Read your own metrics. */
  | { readonly tell: 'read'; readonly id: number }
  /** The metrics of all, as asked for. */
  | { readonly tell: 'metrics'; readonly id: number; readonly all: readonly (readonly Metric[])[] };

/** What a worker tells the supervisor. */
export type FromWorker =
  | { readonly ask: 'metrics'; readonly id: number }
  | { readonly answer: 'read'; readonly id: number; readonly own: readonly Metric[] };
