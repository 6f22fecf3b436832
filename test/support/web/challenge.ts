/** Solves challenges as the script of the pages does, with the platform's SHA-256: many tests need many of them. */
import { hash } from 'node:crypto';

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
    if (Number.parseInt(hash('sha256', token).slice(0, 8), 16) < 2 ** (32 - bits)) return token;
  }
}
