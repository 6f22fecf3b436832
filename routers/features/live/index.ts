import { z } from 'zod';
import { lockUser } from '../../../db/account/account.js';
import {
  closeLiveSession,
  type LiveSession,
  liveSession,
  liveSessionsSince,
} from '../../../db/account/live-session.js';
import { deleteSession } from '../../../db/account/session.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import { liveTopic } from '../../base/ports/hub.js';
import { commands } from '../../base/roles.js';
import { lockAdmin } from '../../core/accounts/people.js';
import { type AuditEvent, audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { admin, router } from '../../core/trpc.js';

/** A page whose process has not reported it for this long is no longer open. */
export const LIVE_FOR_MS = 90_000;
const MAX_LISTED = 1_000;
const KINDS = ['success', 'info', 'warning', 'error'] as const;
const POSITIONS = [
  'top-right',
  'top-left',
  'bottom-right',
  'bottom-left',
  'top-center',
  'bottom-center',
] as const;

/** An open page of a front end. */
export const liveRecord = z.object({
  wsSessionId: z.string(),
  userAgent: z.string(),
  ip: z.string(),
  connectedAtMs: z.int(),
  currentPage: z.string(),
  userId: z.int().nullable(),
  username: z.string().nullable(),
  connected: z.boolean(),
});

const byId = z.object({ id: z.string().min(1).max(64) });
const nothing = z.object({});

/** A path of the front end: never another site, which `//` and `/\` would be. */
const route = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[^\p{Cc}]*$/u, 'use a path like /settings');

/** The open pages of a separate front end, in every process (contract §6, Live sessions). */
export const liveRouter = router({
  list: admin('admin:read')
    .output(z.array(liveRecord))
    .query(async ({ ctx }) => {
      const { app } = ctx;
      const open = await liveSessionsSince(app.db.read, Date.now() - LIVE_FOR_MS, MAX_LISTED);
      return Promise.all(
        open.map(async (live) => ({
          wsSessionId: live.id,
          userAgent: live.userAgent,
          ip: live.ipAddress,
          connectedAtMs: live.connectedAt,
          currentPage: live.page,
          userId: live.userId,
          username: live.userId === null ? null : ((await app.load.user(live.userId))?.username ?? null),
          connected: true,
        })),
      );
    }),

  toast: admin('admin:write')
    .input(
      byId.extend({
        message: z.string().trim().min(1).max(500),
        type: z.enum(KINDS).default('info'),
        position: z.enum(POSITIONS).default('top-right'),
      }),
    )
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      await act(ctx, input.id, 'live.toast');
      const { message, type, position } = input;
      ctx.app.hub.publish(liveTopic(input.id), { type: 'toast', message, toastType: type, position });
      return {};
    }),

  redirect: admin('admin:write')
    .input(byId.extend({ route }))
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      await act(ctx, input.id, 'live.redirect');
      ctx.app.hub.publish(liveTopic(input.id), { type: 'redirect', route: input.route });
      return {};
    }),

  /** Ends the session that the page is signed in with, here and in the front end. */
  logout: admin('admin:write')
    .input(byId)
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      await act(ctx, input.id, 'live.logout', async (trx, { sessionId }) => {
        if (sessionId !== null) await deleteSession(trx, sessionId);
      });
      ctx.app.hub.publish(liveTopic(input.id), { type: 'logout' });
      return {};
    }),

  /** Closes the page's connection; its visitor is refused for a minute. */
  close: admin('admin:write')
    .input(byId)
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      await act(ctx, input.id, 'live.closed', async (trx, { id }) => {
        if (!(await closeLiveSession(trx, id, Date.now()))) fail('NOT_FOUND');
      });
      ctx.app.hub.publish(liveTopic(input.id), { type: 'close' });
      return {};
    }),
});

/**
 * Acts on a live session that the caller may act on, and records it; 404 if it is over. Both accounts are locked, because
 * either may have got another role since the request began.
 */
async function act(
  ctx: AccountContext,
  id: string,
  event: AuditEvent,
  change: (trx: Queryable, live: LiveSession) => Promise<void> = async () => {},
): Promise<void> {
  const { app, account } = ctx;
  await app.db.write(async (trx) => {
    const { role } = await lockAdmin(app, trx, account.id);
    const live = found(await liveSession(trx, id, Date.now() - LIVE_FOR_MS));
    const user = live.userId === null ? null : await lockUser(app.db, trx, live.userId);
    if (user !== null && user.id !== account.id && !commands(role, user.role)) fail('RANK_TOO_LOW');
    await change(trx, live);
    await audit(ctx, trx, event, { subject: live.userId });
  });
}
