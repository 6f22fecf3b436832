import { z } from 'zod';
import type { Queryable } from '../../db/engine/queryable.js';
import { takeMailToken } from '../../db/mail/mail-token.js';
import { fail, found } from '../base/errors.js';
import type { ChallengedAction, Solved } from '../base/ports/challenge.js';
import { iso } from '../base/text/dates.js';
import type { Context, Services } from './context.js';
import { askOnBehalf } from './provider.js';
import { hashSecret } from './secrets.js';

/** Used tokens are remembered for longer than a challenge is valid. */
const TOKEN_MEMORY_MS = 60 * 60 * 1000;

/** A solved challenge, where one may be needed. */
export const challengeToken = z.string().trim().max(4096).nullish();

/** A proof of work to do. */
export const taskRecord = z.object({
  challenge: z.string(),
  bits: z.int(),
  expiresAt: z.iso.datetime(),
});
export type ChallengeTask = z.output<typeof taskRecord>;

/** A new challenge; 404 if this installation hands out none. */
export function newTask({ challenge }: Services): ChallengeTask {
  const { expiresAt, ...task } = found(challenge?.newTask)();
  return { ...task, expiresAt: iso(expiresAt) };
}

/** Whether the caller has to solve a challenge first: somebody without an account, where the operator wants it. */
export const needsChallenge = async (ctx: Context, action: ChallengedAction): Promise<boolean> =>
  ctx.app.settings.challengeFor.includes(action) && (await ctx.caller()) === null;

/** Checks a solved challenge; 400 for a wrong one or none. It counts as used only with `takeSolved`. */
export async function solve(ctx: Context, token: string | null | undefined): Promise<Solved> {
  const challenge = found(ctx.app.challenge);
  if (!token) fail('INVALID', 'token: solve the challenge of GET /challenge first, and send the result');
  await ctx.app.limits.rates.take('challenge', ctx.network());
  return (await askOnBehalf(ctx.app, () => challenge.verify(token, ctx.address))) ?? wrongChallenge();
}

/** Uses a solved challenge, in the transaction of what it is for; 400 if it was used before. */
export async function takeSolved(trx: Queryable, { onceAs }: Solved, purpose: string): Promise<void> {
  if (onceAs === null) return;
  const now = Date.now();
  const use = { hash: hashSecret(onceAs), delivery: purpose };
  if ((await takeMailToken(trx, use, now, now - TOKEN_MEMORY_MS)) !== 'new') wrongChallenge();
}

const wrongChallenge = (): never =>
  fail('INVALID', 'The challenge was not solved, is too old or was already used; try again');
