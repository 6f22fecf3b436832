import type { Challenge } from '../../../routers/base/ports/challenge.js';
import type { Secrets } from '../../../routers/base/ports/secrets.js';
import type { ChallengeOptions } from './options.js';
import { isProof, newTask, solvedTask } from './proof-of-work.js';
import { verifyTurnstile } from './turnstile.js';

/** Opens the configured challenges; null if there is none. With both, a token's form tells whose it is. */
export function openChallenge(
  { publicMail: { turnstile, proofOfWork } }: ChallengeOptions,
  secrets: Secrets,
): Challenge | null {
  if (turnstile === null && !proofOfWork) return null;
  return {
    newTask: proofOfWork ? () => newTask(secrets) : null,
    verify: async (token, address) => {
      if (proofOfWork && (turnstile === null || isProof(token))) {
        const onceAs = solvedTask(secrets, token);
        return onceAs === null ? null : { onceAs };
      }
      if (turnstile === null) return null;
      return (await verifyTurnstile(turnstile, token, address)) ? { onceAs: null } : null;
    },
  };
}
