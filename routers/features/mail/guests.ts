import { z } from 'zod';
import { countGuestMailboxes, insertMailbox, type Mailbox } from '../../../db/mail/mailbox.js';
import { fail } from '../../base/errors.js';
import { type ChallengeTask, newTask, solve, takeSolved } from '../../core/challenge.js';
import type { Context, Services } from '../../core/context.js';
import { hashSecret, newSecret } from '../../core/secrets.js';
import { GUEST_MAILBOXES } from './bounds.js';
import { setMailboxCookie } from './cookie.js';
import { randomName, requireNoAccountAt } from './mailboxes.js';

const LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** A mailbox that somebody without an account opens. */
export const guestInput = z.object({
  /** The solved challenge. */
  token: z.string({ error: 'send the solved challenge' }).trim().min(1).max(4096),
});

/** A new challenge for a mailbox; 404 if there are none without an account, or if another service hands them out. */
export function newGuestTask(app: Services): ChallengeTask {
  if (!app.settings.guestMailboxes) fail('NOT_FOUND');
  return newTask(app);
}

/**
 * Creates a mailbox for somebody without an account, for seven days, and sets its own cookie. 404 if this installation
 * has none, 400 for a wrong token, 429 after three of a network within an hour.
 */
export async function createGuestMailbox(
  ctx: Context,
  { token }: z.output<typeof guestInput>,
): Promise<Mailbox> {
  const { rates } = ctx.app.limits;
  if (!ctx.app.settings.guestMailboxes) fail('NOT_FOUND');
  const network = ctx.network();
  await rates.take('guestTry', network);
  await rates.take('guestMailbox', network);
  try {
    return await create(ctx, token);
  } catch (error) {
    await rates.refund('guestMailbox', network);
    throw error;
  }
}

async function create(ctx: Context, token: string): Promise<Mailbox> {
  const { app } = ctx;
  const solved = await solve(ctx, token);
  const secret = newSecret();
  const createdAt = Date.now();
  const address = `${randomName()}@${app.settings.mailDomain}`;
  const mailbox = await app.db.write(async (trx) => {
    await takeSolved(trx, solved, address);
    if ((await countGuestMailboxes(trx, createdAt)) >= GUEST_MAILBOXES)
      fail('UNAVAILABLE', { message: 'There are too many mailboxes without an account; try again later' });
    await requireNoAccountAt(trx, address, null);
    const made = { address, ownerId: null, createdAt, expiresAt: createdAt + LIFE_MS };
    return insertMailbox(trx, { ...made, tokenHash: hashSecret(secret) }, true);
  });
  setMailboxCookie(ctx, mailbox, secret);
  return mailbox;
}
