import { lookupId } from '../../../db/content/content.js';
import { isExpired } from '../../../db/content/life.js';
import { requestByKey, type UploadRequest, type Wall } from '../../../db/content/upload/upload-request.js';
import { fail, found } from '../../base/errors.js';
import { isShutOut } from '../../base/roles.js';
import { checkPassword } from '../../core/access.js';
import { needsChallenge, solve, takeSolved } from '../../core/challenge.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { requireAllowed } from '../../core/policies.js';
import { requireUnpausedOwner } from '../../core/quotas/spend.js';
import { isTicket, type Ticketed, ticketFor } from '../../core/sharing/ticket.js';

/** The caller's own request; 401 for that of another account. */
export async function ownRequest(ctx: AccountContext, uniqueId: string): Promise<UploadRequest> {
  const request = found(await requestByKey(ctx.app.db.read, lookupId(uniqueId)));
  requireAllowed(ctx.account, 'manage', 'collection', request);
  return request;
}

/** How much a request still takes; null for any number. */
export const leftOf = ({ maxFiles, maxBytes, files, bytes }: UploadRequest) => ({
  files: maxFiles === null ? null : Math.max(0, maxFiles - files),
  bytes: maxBytes === null ? null : Math.max(0, maxBytes - bytes),
});

/** Whether a request, with its wall, is over. */
const isOver = ({ closed, endsAt }: UploadRequest): boolean => closed || isExpired({ expiresAt: endsAt });

/** Whether a request takes files at this moment. */
export function isTaking(request: UploadRequest): boolean {
  const left = leftOf(request);
  return !isOver(request) && !isExpired(request) && left.files !== 0 && left.bytes !== 0;
}

/** The request that guests open; 404 if it is closed, expired or full, or if its owner may not receive anything. */
export async function openRequest(app: Services, uniqueId: string): Promise<UploadRequest> {
  const request = found(await requestByKey(app.db.read, lookupId(uniqueId)));
  if (!isTaking(request)) fail('NOT_FOUND');
  await requireReceiver(app, request);
  return request;
}

/** 404 for a request whose owner may not receive anything. */
async function requireReceiver(app: Services, { ownerId }: UploadRequest): Promise<void> {
  const owner = found(await app.load.user(ownerId));
  if (isShutOut(owner.role)) fail('NOT_FOUND');
  await requireUnpausedOwner(app.db.read, owner.id).catch(() => fail('NOT_FOUND'));
}

/** What a guest shows to be let in. */
interface Shown {
  readonly password?: string | null | undefined;
  readonly ticket?: string | null | undefined;
}

/** A request whose guests see what came in. */
export type WithWall = UploadRequest & { readonly wall: Exclude<Wall, 'none'> };

const hasWall = (request: UploadRequest): request is WithWall => request.wall !== 'none';

/**
 * The request whose wall a guest opens, also when it takes no more files. 404 without a wall and after its end, 403 for
 * guests who show neither the password nor a ticket.
 */
export async function openWall(ctx: Context, uniqueId: string, shown: Shown): Promise<WithWall> {
  const request = found(await requestByKey(ctx.app.db.read, lookupId(uniqueId)));
  if (!hasWall(request) || isOver(request)) return fail('NOT_FOUND');
  await requireReceiver(ctx.app, request);
  await requireLetIn(ctx, request, shown);
  return request;
}

const ticketOf = (request: UploadRequest): Ticketed => ({ of: 'request', ...request });

/** What proves for a while that a guest was let in. */
export const ticketOfGuest = (app: Services, request: UploadRequest): string =>
  ticketFor(app, ticketOf(request));

/**
 * What proves for a while that a guest knew the password of a request and has solved a challenge; null if neither is
 * needed.
 */
export const requestTicket = async (ctx: Context, request: UploadRequest): Promise<string | null> =>
  request.passwordHash === null && !(await needsChallenge(ctx, 'requests'))
    ? null
    : ticketOfGuest(ctx.app, request);

/** Refuses with 403 a guest who has to solve a challenge first, and shows no ticket of it. */
export async function requireSolved(
  ctx: Context,
  request: UploadRequest,
  ticket: string | null | undefined,
): Promise<void> {
  if ((await needsChallenge(ctx, 'requests')) && !isTicket(ctx.app, ticketOf(request), ticket))
    fail('CHALLENGE_REQUIRED');
}

/** Checks the challenge that a guest has solved, if one is needed; a ticket shows that it was. */
export async function takeSolvedBy(
  ctx: Context,
  request: UploadRequest,
  {
    token,
    ticket,
  }: { readonly token?: string | null | undefined; readonly ticket?: string | null | undefined },
): Promise<void> {
  if (!(await needsChallenge(ctx, 'requests')) || isTicket(ctx.app, ticketOf(request), ticket)) return;
  const solved = await solve(ctx, token);
  await ctx.app.db.write((trx) => takeSolved(trx, solved, 'request'));
}

/** Whether a guest need not be asked for the password. */
export const isLetIn = (app: Services, request: UploadRequest, ticket: string | null | undefined): boolean =>
  request.passwordHash === null || isTicket(app, ticketOf(request), ticket);

/** Refuses with 403 a guest who shows neither the password nor a ticket. */
export async function requireLetIn(
  ctx: Context,
  request: UploadRequest,
  { password, ticket }: Shown,
): Promise<void> {
  if (isLetIn(ctx.app, request, ticket)) return;
  if (password === undefined || password === null || password === '') fail('PASSWORD_REQUIRED');
  await checkPassword(ctx, 'request', request, password);
}
