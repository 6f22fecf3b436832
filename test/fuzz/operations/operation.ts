import type fc from 'fast-check';
import type { Draft } from '../inputs/draft.js';
import type { Request } from '../inputs/request.js';
import type { Expectation } from '../judge.js';

/** An operation of the server, requested in all the ways that should and should not work. */
export interface Operation {
  readonly name: string;
  readonly drafts: fc.Arbitrary<Draft>;
  /** The allowed answers to a request. */
  expect(request: Request): Expectation;
  /** Its share of the requests of a whole operation. */
  readonly share: number;
  /** True if a success may have changed accounts, sessions or keys. */
  readonly touchesAccounts: boolean;
}

const ACCOUNTS = /user|auth|admin|login|register|logout|verify|reset|settings|discord|chatapp|invite/i;

/** Whether an operation of this name may change who can sign in, and how. */
export const touchesAccounts = (name: string): boolean => ACCOUNTS.test(name);
