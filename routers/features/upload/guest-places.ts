import { dropEmptyUpload, dropIdleUpload, guestUploads } from '../../../db/content/upload/guest-upload.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import { lockAccount } from '../../core/accounts/people.js';
import type { Services } from '../../core/context.js';
import { refuseQuota } from '../request/public.js';
import { ADDRESS_MS, UNSENT_MS } from './find.js';

/** Unfinished uploads that guests may send to one account, and those of one network among them. */
const MAX_OF_GUESTS = 1_000;
const MAX_OF_NETWORK = 32;
/** The bytes of them that have arrived, together, as a multiple of the largest upload: of all guests, and of one network. */
const LARGEST_OF_GUESTS = 32;
const LARGEST_OF_NETWORK = 8;
/** An upload whose last byte came so long ago makes way for another once all places are taken, in milliseconds. */
const IDLE_MS = 10 * 60 * 1000;
/** One that has no byte so long after it began makes way once its network has all of its places: many guests share one. */
const EMPTY_MS = 60 * 1000;

/**
 * Makes sure of a place for an upload of a guest. What is only announced takes no space, and one network cannot take all
 * places, so that whoever has the address of a link cannot keep others from using it. The account must be locked.
 */
export async function requireGuestPlace(
  trx: Queryable,
  ownerId: number,
  sentFrom: string,
  { at, maxUploadBytes }: { readonly at: number; readonly maxUploadBytes: number },
): Promise<void> {
  const open = await guestUploads(trx, ownerId, sentFrom, at);
  const before = at + UNSENT_MS.guest - EMPTY_MS;
  const isGreedy =
    open.ofNetwork.received >= LARGEST_OF_NETWORK * maxUploadBytes ||
    (open.ofNetwork.total >= MAX_OF_NETWORK &&
      !(await dropEmptyUpload(trx, ownerId, sentFrom, { at, before })));
  if (isGreedy || open.received >= LARGEST_OF_GUESTS * maxUploadBytes)
    refuseMore(isGreedy ? open.ofNetwork.firstEnd : open.firstEnd, at);
  if (open.total < MAX_OF_GUESTS) return;
  if (!(await dropIdleUpload(trx, ownerId, { at, before: at + ADDRESS_MS - IDLE_MS })))
    refuseMore(open.firstEnd, at);
}

/** 429 until one of the unfinished uploads ends. */
export function refuseMore(firstEnd: number, at: number): never {
  fail('TOO_MANY_REQUESTS', {
    message: 'Finish or cancel the uploads that you have begun first',
    retryAfter: Math.max(1, Math.ceil((firstEnd - at) / 1000)),
  });
}

/** Refuses bytes of a guest, in the transaction that records them, if guests would keep more than they may together. */
export async function requireGuestSpace(
  app: Services,
  trx: Queryable,
  { ownerId, sentFrom }: { readonly ownerId: number; readonly sentFrom: string | null },
  more: number,
): Promise<void> {
  await lockAccount(app, trx, ownerId);
  const open = await guestUploads(trx, ownerId, sentFrom ?? '', Date.now());
  const { maxUploadBytes } = app.settings;
  const isFull =
    open.received + more > LARGEST_OF_GUESTS * maxUploadBytes ||
    open.ofNetwork.received + more > LARGEST_OF_NETWORK * maxUploadBytes;
  if (isFull) refuseQuota(null);
}
