import { stat } from 'node:fs/promises';
import type { Services } from '../../../routers/core/context.js';
import { type Metric, single } from './metric.js';

const max = { combine: 'max' } as const;

/** A scrape asks the store again after this time, in milliseconds: to ask is to write. */
const RECENT_MS = 10_000;

/** Whether the store works and how long it takes to say so; not the time if it does not. */
export async function readStore({ probes }: Pick<Services, 'probes'>): Promise<Metric[]> {
  const isUp = (await probes.storage.ask(RECENT_MS)) === 'ok';
  const { seconds } = probes.storage.facts();
  return [
    single('holdall_store_up', 'Whether files can be stored.', isUp ? 1 : 0, max),
    ...(seconds === null
      ? []
      : [single('holdall_store_seconds', 'Time taken to store and remove a small file.', seconds, max)]),
  ];
}

/** Size of a file in bytes, 0 if it is not there. */
export const sizeOfFile = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
