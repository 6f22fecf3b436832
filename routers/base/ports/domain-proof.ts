import type { DomainProof } from '../../../db/content/link/domain.js';

/** What a look for the proof of a host found: `none` if it is certain that there is none, `unknown` if nobody answered. */
export type ProofFound = DomainProof | 'none' | 'unknown';

/** Looks whether a host belongs to whoever got a token. Implemented in `server/drivers/domains/`. */
export interface DomainProofs {
  /** Asks DNS, then the host itself. Takes some seconds at most, and never throws. */
  find(host: string, token: string): Promise<ProofFound>;
}

/** Where a host answers with its token. */
export const PROOF_PATH = '/.well-known/holdall/';
