import { z } from 'zod';
import { deleteMessengerLink, messengerLinkOfUser } from '../../../db/account/messenger.js';
import { fail, found } from '../../base/errors.js';
import { WebhookForged } from '../../base/ports/chat.js';
import { iso } from '../../base/text/dates.js';
import { lockAccount } from '../../core/accounts/people.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { open, quiet, router, signedIn } from '../../core/trpc.js';
import { waitingAccount } from '../auth/public.js';
import { inviteToBot } from './codes.js';
import { takeUpdate } from './update.js';

/** A token to send to the bot, also as a link. */
export const invitation = z.object({ botname: z.string(), token: z.string(), url: z.url() });

/** A linked messenger account. */
export const messengerConnection = z.object({
  messengerId: z.string(),
  telegramId: z.string(),
  username: z.string().nullable(),
  name: z.string(),
  connectedAt: z.iso.datetime(),
  user: userSummary,
  /** The same under the names that older clients read; the messenger tells no picture. */
  telegram_id: z.string(),
  full_name: z.string(),
  avatar: z.string().nullable(),
  created_at: z.iso.datetime(),
});

async function unlink(ctx: AccountContext): Promise<void> {
  const { app, account } = ctx;
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    if (!(await deleteMessengerLink(trx, account.id))) fail('NOT_FOUND');
    await audit(ctx, trx, 'messenger.unlinked', { subject: account.id });
    await notifyHolder(app, trx, user, { what: 'messengerUnlinked' });
  });
  app.jobs.kick();
}

/** Verification and linking with a messenger's bot (contract §4). */
export const messengerRouter = router({
  /** A token that activates the account of the cookie `verify_token` when it is sent to the bot. */
  verify: open(null, 'whilePaused')
    .output(invitation)
    .mutation(async ({ ctx }) => {
      const user = await waitingAccount(ctx);
      return inviteToBot(ctx.app, user.id, 'verify');
    }),

  /** A token that links the messenger account from which it is sent to the bot. */
  connect: signedIn('account:write')
    .output(invitation)
    .mutation(({ ctx }) => inviteToBot(ctx.app, ctx.account.id, 'link')),

  mine: signedIn('account:read')
    .output(messengerConnection)
    .query(async ({ ctx }) => {
      const link = found(await messengerLinkOfUser(ctx.app.db.read, ctx.account.id));
      return {
        messengerId: link.messengerId,
        telegramId: link.messengerId,
        username: link.username,
        name: link.name,
        connectedAt: iso(link.connectedAt),
        user: await summaryOf(ctx.app, link.userId),
        telegram_id: link.messengerId,
        full_name: link.name,
        avatar: null,
        created_at: iso(link.connectedAt),
      };
    }),

  unlink: signedIn('account:write')
    .output(z.object({}))
    .mutation(quiet(({ ctx }) => unlink(ctx))),

  /**
   * As `unlink`, for a front end that follows a link to it. Only with a session, and only from an origin that may
   * call with credentials: another site could make a browser follow that link, but not with such an origin.
   */
  unlinkByLink: signedIn('account:write')
    .input(z.object({ origin: z.string().max(500).nullish() }))
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      const known = ctx.app.settings.corsOrigins.includes(input.origin ?? '');
      if (!known || ctx.account.sessionId === null) fail('METHOD_NOT_ALLOWED');
      await unlink(ctx);
      return {};
    }),

  /** A message pushed by the messenger; 401 unless it carries the bot's secret. */
  receive: open(null, 'whilePaused')
    .input(z.object({ secret: z.string().nullish(), update: z.record(z.string(), z.unknown()) }))
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      const messenger = ctx.app.chat.messenger ?? fail('MESSENGER_ABSENT');
      try {
        const update = messenger.readWebhook(input.secret ?? null, input.update);
        if (update !== null) await takeUpdate(ctx.app, update);
      } catch (error) {
        if (error instanceof WebhookForged) fail('UNAUTHENTICATED', error.message);
        throw error;
      }
      return {};
    }),
});
