import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Metric } from '../metrics/metric.js';
import { shareMetrics } from './gather.js';

/** Where this process stands among those that one start has made. */
export interface ProcessRole {
  /** True for the one process that does what each start does once. */
  readonly first: boolean;
  /** Lets the others read the metrics of this process, and returns how to read those of all. */
  shareMetrics(own: () => Promise<Metric[]>): () => Promise<readonly (readonly Metric[])[]>;
}

/** The only process of its start. */
export const alone: ProcessRole = { first: true, shareMetrics: (own) => async () => [await own()] };

/** The place of this process. The supervisor starts its first worker before any other. */
export const ownRole = (): ProcessRole =>
  cluster.worker === undefined ? alone : { first: cluster.worker.id === 1, shareMetrics };

/** How many processes `WORKERS` asks for. */
export const workersOf = (setting: string): number =>
  setting === 'auto' ? availableParallelism() : Number(setting);
