import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { foldCase, userByEmail } from '../../../db/account/account.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import {
  confirmForward,
  deleteForward,
  forwardOf,
  forwardOfCode,
  putForward,
} from '../../../db/mail/mail-forward.js';
import type { Mailbox } from '../../../db/mail/mailbox.js';
import { fail, found } from '../../base/errors.js';
import { acceptedLanguage } from '../../base/language/languages.js';
import { emailInput } from '../../core/accounts/fields.js';
import { audit } from '../../core/audit.js';
import { mailsOf } from '../../core/branding/branding.js';
import type { AccountContext, Context } from '../../core/context.js';
import { queueAsked } from '../../core/mail/outgoing.js';
import { takeAll } from '../../core/rate-limits.js';
import { requireScope } from '../../core/scopes.js';
import { hashSecret } from '../../core/secrets.js';
import { heldMailbox, lockHeld } from './access.js';
import { addressInput } from './mailboxes.js';
import { requireNoSandbox } from './sandbox.js';

const HOURS = 24;

/** Where a mailbox forwards to. */
export const forwardInput = z.object({
  email: addressInput,
  /** Null or "" ends the forwarding. */
  to: z.union([z.null(), z.literal('').transform(() => null), emailInput], {
    error: 'enter an e-mail address, or null to end the forwarding',
  }),
});

/** Where a mailbox forwards to; `confirmed` once the target has agreed. */
export const forwardRecord = z.object({ to: z.string().nullable(), confirmed: z.boolean() });
export type ForwardRecord = z.output<typeof forwardRecord>;

const NOWHERE: ForwardRecord = { to: null, confirmed: false };

/** Where the caller's mailbox forwards to. */
export async function readForward(ctx: AccountContext, address: string): Promise<ForwardRecord> {
  const mailbox = await heldMailbox(ctx, address);
  const forward = await forwardOf(ctx.app.db.read, mailbox.id);
  return forward === null ? NOWHERE : { to: forward.target, confirmed: forward.confirmed };
}

/**
 * Lets the caller's mailbox forward to an address, once a link that is mailed there has been confirmed, or ends it. The
 * former target gets nothing from then on.
 */
export async function setForward(
  ctx: AccountContext,
  { email, to }: z.output<typeof forwardInput>,
): Promise<ForwardRecord> {
  const { app, account } = ctx;
  // Whoever gets the copies reads the mail.
  if (to !== null) requireScope(account, 'mail:read');
  const mailbox = await heldMailbox(ctx, email);
  if (to !== null) requireNoSandbox(mailbox);
  const change = (work: (trx: Queryable, current: Mailbox) => Promise<void>): Promise<void> =>
    app.db.write(async (trx) => work(trx, await lockHeld(ctx, trx, mailbox.id)));
  if (to === null) {
    await change(async (trx) => {
      if (await deleteForward(trx, mailbox.id))
        await audit(ctx, trx, 'mailbox.forwarded', {
          subject: account.id,
          info: { mailbox: mailbox.id, to: '' },
        });
    });
    return NOWHERE;
  }
  if (foldCase(to) === mailbox.address) fail('INVALID', 'A mailbox cannot forward to itself');
  const known = await forwardOf(app.db.read, mailbox.id);
  if (known?.confirmed === true && known.target === to) return { to, confirmed: true };
  await takeAll(app.limits.rates, [
    ['mail', `forward|${account.id}`],
    ['verifyMailsTo', foldCase(to)],
  ]);
  const code = randomBytes(16).toString('base64url');
  // A stranger probably speaks the language of who knows their address.
  const receiver = (await userByEmail(app.db.read, to)) ?? account;
  const asked = acceptedLanguage(ctx.acceptLanguage);
  const mail = (await mailsOf(app, app.db.read, receiver, asked)).forwardRequest({
    username: account.username,
    mailbox: mailbox.address,
    link: `${app.settings.origin}/web/mail-forward?code=${code}`,
    hours: HOURS,
  });
  await change(async (trx, current) => {
    requireNoSandbox(current);
    const expiresAt = Date.now() + HOURS * 60 * 60 * 1000;
    await putForward(trx, { mailboxId: mailbox.id, target: to, codeHash: hashSecret(code), expiresAt });
    await audit(ctx, trx, 'mailbox.forwarded', { subject: account.id, info: { mailbox: mailbox.id, to } });
    await queueAsked(app, trx, { to, ...mail });
  });
  app.jobs.kick();
  return { to, confirmed: false };
}

/** The code that confirms an address. */
export const codeInput = z.object({ code: z.string().min(1).max(100) });

/** What a mailed link would start. */
export const requestRecord = z.object({ email: z.string(), to: z.string() });

/** The mailbox and the target of a mailed link; 404 if it is wrong, used or older than a day. */
export async function forwardRequest(
  { app }: Context,
  { code }: z.output<typeof codeInput>,
): Promise<z.output<typeof requestRecord>> {
  const { address, target } = found(await forwardOfCode(app.db.read, hashSecret(code), Date.now()));
  return { email: address, to: target };
}

/** Starts the forwarding that a mailed link belongs to; whoever reads the target's mail may. */
export async function agreeToForward(
  ctx: Context,
  input: z.output<typeof codeInput>,
): Promise<z.output<typeof requestRecord>> {
  const request = await forwardRequest(ctx, input);
  found(await ctx.app.db.write((trx) => confirmForward(trx, hashSecret(input.code), Date.now())));
  return request;
}
