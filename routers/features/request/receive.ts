import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { User } from '../../../db/account/account.js';
import type { UploadRequest } from '../../../db/content/upload/upload-request.js';
import { readableSize } from '../../base/embed.js';
import { fail, found } from '../../base/errors.js';
import { languageNamed } from '../../base/language/languages.js';
import { localizable } from '../../base/language/localizable.js';
import type { AccountContext, Context } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { sealInput, sealOf } from '../../core/items/seal.js';
import { quotaOf } from '../../core/quotas/spend.js';
import { requireEntry } from '../../core/trpc.js';
import { type Allowance, stagedUploadInput } from '../image/public.js';
import { receiptInput, senderInput, ticketInput } from './fields.js';
import { isLetIn, leftOf, openRequest, requireLetIn, requireSolved } from './find.js';
import { storeArrival } from './keep-arrival.js';
import { type receipt, remainingOf } from './record.js';

/** Maximum bytes of a file before its sender has shown the password, which a form may contain behind it. */
const LOCKED_BYTES = 8 * 1024 * 1024;

/** A file that a guest sends to a request. */
export const receiveInput = z.object({
  ...sealInput,
  uniqueId: uniqueIdInput,
  file: stagedUploadInput,
  name: senderInput,
  password: shownPasswordInput,
  ticket: ticketInput,
  receipt: receiptInput.nullish(),
});
type ReceiveInput = z.output<typeof receiveInput>;

/**
 * Allows a file of a guest: what the request has left, and no more than its owner may store. Guests have no account, so
 * what they send is counted among the files of all unauthenticated senders.
 */
export async function allowReceiving(
  ctx: Context,
  input: Pick<ReceiveInput, 'uniqueId' | 'password' | 'ticket'>,
): Promise<Allowance> {
  const { app } = ctx;
  await requireEntry(ctx);
  const request = await openRequest(app, input.uniqueId);
  await app.limits.rates.take('guest', ctx.network());
  await requireSolved(ctx, request, input.ticket);
  const isOpen = isLetIn(app, request, input.ticket);
  const shown = !isOpen && Boolean(input.password);
  if (shown) await requireLetIn(ctx, request, input);
  const quota = (await quotaOf(app, request.ownerId, 'FILE')).bytes ?? Number.POSITIVE_INFINITY;
  const left = leftOf(request).bytes ?? Number.POSITIVE_INFINITY;
  const most = Math.min(app.settings.maxUploadBytes, left, quota);
  const locked = !isOpen && !shown;
  return {
    maxBytes: locked ? Math.min(most, LOCKED_BYTES) : most,
    proven: false,
    counted: false,
    refuse: (cause) =>
      locked && most > LOCKED_BYTES
        ? fail('PASSWORD_REQUIRED', { cause })
        : fail('TOO_LARGE', {
            message: localizable('A file can be at most {size} here', { size: readableSize(most) }),
            cause,
          }),
  };
}

/** Acts as the owner of a request, for whom a guest's file is stored. */
function asOwner(ctx: Context, owner: User): AccountContext {
  const account = {
    id: owner.id,
    username: owner.username,
    role: owner.role,
    active: owner.status === 'ACTIVE',
    language: languageNamed(owner.language),
    hasWebhook: true,
    pause: null,
    sessionId: null,
    key: null,
  };
  return { ...ctx, account, caller: async () => account };
}

/** The name of a guest, null without one; 400 where the request asks for it. */
export function senderOf(request: UploadRequest, name: string | null | undefined): string | null {
  if (request.askName && !name) fail('INVALID', 'name: say who you are');
  return name || null;
}

/** Stores a file of a guest, at once. */
export async function receiveFile(ctx: Context, input: ReceiveInput): Promise<z.output<typeof receipt>> {
  const { app } = ctx;
  const request = await openRequest(app, input.uniqueId);
  await requireLetIn(ctx, request, input);
  await requireSolved(ctx, request, input.ticket);
  const sender = senderOf(request, input.name);
  const owner = found(await app.load.user(request.ownerId));
  const seal = sealOfArrival(request, input);
  const shown = input.receipt ?? newReceipt();
  const arrival = { request, sender, file: input.file, seal, receipt: shown };
  const kept = await storeArrival(asOwner(ctx, owner), arrival);
  return { received: [{ name: kept.name, size: kept.size, receipt: shown }], ...remainingOf(kept.after) };
}

/** The seal of what a guest sends: all that answers a sealed request is sealed, nothing that answers another one. */
export function sealOfArrival(
  { recipient }: UploadRequest,
  said: Parameters<typeof sealOf>[0],
): string | null {
  if (recipient === null && said.sealed === true)
    fail('INVALID', 'sealed: this link takes files that are not sealed');
  return sealOf({ ...said, sealed: recipient !== null });
}

/** A receipt for senders who bring none. */
export const newReceipt = (): string => randomBytes(16).toString('base64url');
