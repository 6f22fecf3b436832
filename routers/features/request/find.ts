import { lookupId } from '../../../db/content/content.js';
import { isExpired } from '../../../db/content/life.js';
import { requestByKey, type UploadRequest } from '../../../db/content/upload/upload-request.js';
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

/** Whether a request takes files at this moment. */
export function isTaking(request: UploadRequest): boolean {
  const left = leftOf(request);
  return !request.closed && !isExpired(request) && left.files !== 0 && left.bytes !== 0;
}

/** The request that guests open; 404 if it is closed, expired or full, or if its owner may not receive anything. */
export async function openRequest(app: Services, uniqueId: string): Promise<UploadRequest> {
  const request = found(await requestByKey(app.db.read, lookupId(uniqueId)));
  if (!isTaking(request)) fail('NOT_FOUND');
  const owner = found(await app.load.user(request.ownerId));
  if (isShutOut(owner.role)) fail('NOT_FOUND');
  await requireUnpausedOwner(app.db.read, owner.id).catch(() => fail('NOT_FOUND'));
  return request;
}

const ticketOf = (request: UploadRequest): Ticketed => ({ of: 'request', ...request });

/**
 * What proves for a while that a guest knew the password of a request and has solved a challenge; null if neither is
 * needed.
 */
export const requestTicket = async (ctx: Context, request: UploadRequest): Promise<string | null> =>
  request.passwordHash === null && !(await needsChallenge(ctx, 'requests'))
    ? null
    : ticketFor(ctx.app, ticketOf(request));

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
  {
    password,
    ticket,
  }: { readonly password?: string | null | undefined; readonly ticket?: string | null | undefined },
): Promise<void> {
  if (isLetIn(ctx.app, request, ticket)) return;
  if (password === undefined || password === null || password === '') fail('PASSWORD_REQUIRED');
  await checkPassword(ctx, 'request', request, password);
}
