import { lookupId } from '../../../db/content/content.js';
import { requestByKey } from '../../../db/content/upload/upload-request.js';
import { DomainError, fail } from '../../base/errors.js';
import type { Context } from '../../core/context.js';
import { networkMark } from '../../core/entry/network-mark.js';
import { UPLOAD_PURPOSES } from '../../core/items/upload-purposes.js';
import { requireQuota } from '../../core/quotas/spend.js';
import { requireEntry } from '../../core/trpc.js';
import { refuseSize } from '../image/public.js';
import {
  leftOf,
  newReceipt,
  openRequest,
  refuseLarger,
  refuseQuota,
  requireLetIn,
  requireSolved,
  sealOfArrival,
  senderOf,
  storeArrival,
  withoutLimits,
} from '../request/public.js';
import { actingFor } from './acting.js';
import type { BeginInput } from './begin-input.js';
import { requireGuestPlace, requireGuestSpace } from './guest-places.js';
import type { Purpose } from './purpose.js';

/** What is kept of an upload that answers a request link. */
export interface Answering {
  readonly request: string;
  readonly sender: string | null;
  /** Absent in what began before there were sealed requests. */
  readonly seal?: string | null;
  /** Absent in uploads that began under an older version. */
  readonly receipt?: string;
}

/**
 * Whether an upload answers a request link. Proxies and clients name their requests in the same header, so an id in it
 * that no link has is ignored for callers who may upload without one.
 */
export async function isForRequest(ctx: Context, { request }: BeginInput): Promise<boolean> {
  if (!request) return false;
  if (request.isCertain) return true;
  const isKnown = (await requestByKey(ctx.app.db.read, lookupId(request.uniqueId))) !== null;
  return isKnown || (await ctx.caller()) === null;
}

/** A file of a guest for the owner of a request link. What the link takes is decided when the file is complete. */
export const guestPurpose: Purpose = {
  name: 'guest',
  isOfGuests: true,

  async admit(ctx, input) {
    const { app } = ctx;
    const { request: asked, length } = input;
    await requireEntry(ctx);
    const request = await openRequest(app, asked?.uniqueId ?? '');
    await app.limits.rates.take('guest', ctx.network());
    await requireLetIn(ctx, request, asked ?? {});
    await requireSolved(ctx, request, asked?.ticket);
    const sender = senderOf(request, asked?.name);
    const { bytes } = leftOf(request);
    if (bytes !== null && (length ?? 0) > bytes) refuseLarger(bytes);
    const seal = sealOfArrival(request, input);
    const fields: Answering = {
      ...{ request: request.uniqueId, sender, seal },
      receipt: asked?.receipt ?? newReceipt(),
    };
    return { ownerId: request.ownerId, fields, sentFrom: networkMark(ctx), isSealed: seal !== null };
  },

  requirePlace: ({ settings: { maxUploadBytes } }, trx, { ownerId, sentFrom = '' }, { at }) =>
    requireGuestPlace(trx, ownerId, sentFrom, { at, maxUploadBytes }),

  requireSpace: requireGuestSpace,

  requireQuota: (trx, ownerId, wanted) =>
    withoutLimits(requireQuota(trx, ownerId, UPLOAD_PURPOSES.guest.type, wanted)),

  refuseQuota: (excess) => refuseQuota(excess),

  async mayGoOn(app, { fields }) {
    const left = leftOf(await openRequest(app, (fields as Answering).request)).bytes;
    const { maxUploadBytes } = app.settings;
    return left === null || left >= maxUploadBytes
      ? { bytes: maxUploadBytes, refuse: () => refuseSize(app.settings) }
      : { bytes: left, refuse: () => refuseLarger(left) };
  },

  async keep(app, upload, file, settle) {
    const { request: uniqueId, sender, seal = null, receipt = newReceipt() } = upload.fields as Answering;
    try {
      const request = await openRequest(app, uniqueId);
      const sealed = { seal: seal ?? sealOfArrival(request, {}), receipt };
      await storeArrival(await actingFor(app, upload.ownerId), { request, sender, file, ...sealed }, settle);
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'NOT_FOUND')
        fail('INVALID', { message: 'This link does not take files any more', cause: error });
      throw error;
    }
  },
};
