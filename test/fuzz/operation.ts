import type fc from 'fast-check';
import type { Draft } from './draft.js';
import type { Expectation } from './judge.js';
import type { Request } from './request.js';

/** Something that can be asked of the server, in all the ways that should and should not be. */
export interface Operation {
  readonly name: string;
  readonly drafts: fc.Arbitrary<Draft>;
  /** What a request of it may be answered. */
  expect(request: Request): Expectation;
  /** Its part of the requests that a whole operation gets. */
  readonly share: number;
  /** True where a success may have changed accounts, sessions or keys. */
  readonly touchesAccounts: boolean;
}

const ACCOUNTS = /user|auth|admin|login|register|logout|verify|reset|settings|discord|chatapp|invite/i;

/** Whether an operation of this name may change who can sign in, and how. */
export const touchesAccounts = (name: string): boolean => ACCOUNTS.test(name);
