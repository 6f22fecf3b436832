import { suite } from 'uvu';
import { examine } from './examine.js';
import type { Operation } from './operations/operation.js';

const onPostgres = process.env.HOLDALL_TEST_DB === 'postgres';
/** Requests per operation; PostgreSQL takes twice as long. `npm run test:fuzz` sends 3,000. */
const REQUESTS = onPostgres ? 5 : 45;
/**
 * The same requests each time, so that results are comparable between changes; `npm run test:fuzz` uses
 * others.
 */
const SEED = onPostgres ? 2 : 1;

/** Runs the single test of a file: what these operations promise for any input. */
export function testPromises(of: string, operations: readonly Operation[]): void {
  const fuzz = suite(`fuzz: ${of}`);
  fuzz('no request makes the server fail, reveal a secret, leave something behind or leak memory', () =>
    examine(operations, { requests: REQUESTS, seed: SEED }, console.log),
  );
  fuzz.run();
}
