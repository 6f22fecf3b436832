import { suite } from 'uvu';
import { postgresUrl } from '../support/postgres.js';
import { examine } from './examine.js';
import { allOperations } from './operations.js';

/** Requests an operation; where the tests run on two databases, they share them. */
const REQUESTS = postgresUrl() === null ? 200 : process.env.HOLDALL_TEST_DB === 'postgres' ? 60 : 140;

const fuzz = suite('fuzz');

fuzz('no request makes the server fail, tell a secret, leave something behind or grow', () =>
  examine(allOperations(), { requests: REQUESTS, seed: Date.now() % 2 ** 31 }, console.log),
);

fuzz.run();
