import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Metric } from '../metrics/metric.js';
import { shareMetrics } from './gather.js';

/** The role of this process among the processes of one start. */
export interface ProcessRole {
  /** True for the one process that does what must happen once per start. */
  readonly first: boolean;
  /** Lets other processes read the metrics of this one. Returns a function that reads those of all. */
  shareMetrics(own: () => Promise<Metric[]>): () => Promise<readonly (readonly Metric[])[]>;
}

/** A single process without a supervisor. */
export const alone: ProcessRole = { first: true, shareMetrics: (own) => async () => [await own()] };

/** The role of this process. The supervisor starts the first worker before any other. */
export const ownRole = (): ProcessRole =>
  cluster.worker === undefined ? alone : { first: cluster.worker.id === 1, shareMetrics };

/** The number of processes that `WORKERS` asks for. */
export const workersOf = (setting: string): number =>
  setting === 'auto' ? availableParallelism() : Number(setting);
