/** Solves challenges, as the script of the pages does. */
import { firstWordOfSha256 } from '../../../client/src/sha256.js';

/** The token that solves a task. */
export function solutionOf({
  challenge,
  bits,
}: {
  readonly challenge: string;
  readonly bits: number;
}): string {
  for (let nonce = 0; ; nonce += 1) {
    const token = `${challenge}.${nonce}`;
    if (firstWordOfSha256(token) < 2 ** (32 - bits)) return token;
  }
}
