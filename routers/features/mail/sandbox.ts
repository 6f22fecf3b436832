import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { deleteForward } from '../../../db/mail/mail-forward.js';
import { type Mailbox, mailboxByAddress, updateMailbox } from '../../../db/mail/mailbox.js';
import { fail } from '../../base/errors.js';
import type { Peer } from '../../base/ports/mail/smtp.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Services } from '../../core/context.js';
import { hashSecret, newSecret } from '../../core/secrets.js';
import { heldMailbox, lockHeld } from './access.js';

/** The name and the password that mail is sent with; the password is shown once. */
export const credentialsRecord = z.object({ username: z.string(), password: z.string() });

/** Whether a mailbox has sending credentials: what is sent with them stays in it, and nothing leaves it. */
export const isSandbox = ({ sendingHash }: Pick<Mailbox, 'sendingHash'>): boolean => sendingHash !== null;

/** Refuses what would leave a test inbox with 409. */
export const requireNoSandbox = (mailbox: Mailbox): void => {
  if (isSandbox(mailbox)) fail('SANDBOX');
};

/**
 * Makes the caller's mailbox a test inbox, or gives it another password: mail that is sent with the pair, to anybody, is
 * kept in it. What would leave it, its forwarding and such rules, ends.
 */
export async function makeCredentials(
  ctx: AccountContext,
  address: string,
): Promise<z.output<typeof credentialsRecord>> {
  const password = newSecret();
  const mailbox = await change(ctx, address, hashSecret(password));
  return { username: mailbox.address, password };
}

/** Ends the sending credentials of the caller's mailbox, if it has any. */
export async function endCredentials(ctx: AccountContext, address: string): Promise<void> {
  await change(ctx, address, null);
}

async function change(ctx: AccountContext, address: string, sendingHash: string | null): Promise<Mailbox> {
  const { id } = await heldMailbox(ctx, address);
  return ctx.app.db.write(async (trx) => {
    const mailbox = await lockHeld(ctx, trx, id);
    if (sendingHash !== null) await deleteForward(trx, id);
    else if (!isSandbox(mailbox)) return mailbox;
    const rules = sendingHash === null ? mailbox.rules : mailbox.rules.flatMap(withoutForwards);
    await updateMailbox(trx, id, { sendingHash, rules });
    const info = { mailbox: id, on: sendingHash !== null };
    await audit(ctx, trx, 'mailbox.sandbox', { subject: ctx.account.id, info });
    return mailbox;
  });
}

function withoutForwards(rule: Mailbox['rules'][number]): Mailbox['rules'] {
  const left = rule.do.filter((action) => typeof action === 'string' || !('forward' in action));
  return left.length === 0 ? [] : [{ ...rule, do: left }];
}

/** The address of the test inbox that these credentials send into; null if they are wrong, which is counted. */
export async function signInToSend(
  app: Services,
  username: string,
  password: string,
  peer: Pick<Peer, 'address' | 'trusted'>,
): Promise<string | null> {
  const mailbox = await mailboxByAddress(app.db.read, username.trim().toLowerCase());
  const expected = mailbox?.state === 'DELETED' ? null : (mailbox?.sendingHash ?? null);
  if (mailbox !== null && expected !== null && isSame(expected, hashSecret(password))) return mailbox.address;
  if (!peer.trusted) await app.limits.rates.take('smtpUnknown', peer.address);
  return null;
}

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
