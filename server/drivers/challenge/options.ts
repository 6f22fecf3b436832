import { z } from 'zod';
import { CHALLENGED_ACTIONS, type ChallengedAction } from '../../../routers/base/ports/challenge.js';
import { list, origin, type ValuesOf, word } from '../../shared/variables.js';

/** The variables of what people without an account can do. */
export const challengeVariables = {
  TURNSTILE_SECRET: z.string().optional(),
  TURNSTILE_URL: origin.default('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  PUBLIC_MAIL: word('off', 'proof-of-work').default('off'),
  CHALLENGE_FOR: list
    .pipe(z.array(z.enum(CHALLENGED_ACTIONS, { error: `can be ${CHALLENGED_ACTIONS.join(' and ')}` })))
    .default([]),
};

/** What somebody without an account has to do, and for what. */
export interface ChallengeOptions {
  readonly publicMail: {
    readonly turnstile: { readonly secret: string; readonly url: string } | null;
    readonly proofOfWork: boolean;
    /** Whether there are mailboxes for them. */
    readonly offered: boolean;
    readonly challengeFor: readonly ChallengedAction[];
  };
}

/** Reads the options. */
export const challengeOptions = (values: ValuesOf<typeof challengeVariables>): ChallengeOptions => ({
  publicMail: {
    turnstile:
      values.TURNSTILE_SECRET === undefined
        ? null
        : { secret: values.TURNSTILE_SECRET, url: values.TURNSTILE_URL },
    // Pages have no widget of another service, so they solve a proof of work.
    proofOfWork: values.PUBLIC_MAIL === 'proof-of-work' || values.CHALLENGE_FOR.length > 0,
    offered: values.PUBLIC_MAIL === 'proof-of-work' || values.TURNSTILE_SECRET !== undefined,
    challengeFor: values.CHALLENGE_FOR,
  },
});
