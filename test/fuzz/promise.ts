import { suite } from 'uvu';
import { postgresUrl } from '../support/postgres.js';
import { examine } from './examine.js';
import type { Operation } from './operation.js';

const onPostgres = process.env.HOLDALL_TEST_DB === 'postgres';
/** Requests an operation; where the tests run on two databases, they share them: PostgreSQL takes twice as long. */
const REQUESTS = postgresUrl() === null ? 200 : onPostgres ? 10 : 190;
/** The same requests each time, so that a change is judged by what it does; `npm run test:fuzz` tries others. */
const SEED = onPostgres ? 2 : 1;

/** Runs the one test of a file: what these operations promise whatever is sent to them. */
export function testPromises(of: string, operations: readonly Operation[]): void {
  const fuzz = suite(`fuzz: ${of}`);
  fuzz('no request makes the server fail, tell a secret, leave something behind or grow', () =>
    examine(operations, { requests: REQUESTS, seed: SEED }, console.log),
  );
  fuzz.run();
}
