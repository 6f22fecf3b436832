/** What an upload that arrives in several requests is for; what happens with it is in `routers/features/upload/purpose.ts`. */
import { endReservations } from '../../../db/content/upload/reservation.js';
import type { UnfinishedOfPurpose } from '../../../db/content/upload/upload.js';
import { deleteUnfinished } from '../../../db/content/upload/upload-end.js';
import type { Queryable } from '../../../db/engine/queryable.js';

/** How an unfinished upload counts against the limits of its owner. */
interface Counting {
  readonly type: 'IMAGE' | 'FILE';
  /** The items and bytes that count as if they were stored already. */
  promised(unfinished: UnfinishedOfPurpose): { readonly total: number; readonly bytes: number };
}

/** Every purpose by its name in the database. */
export const UPLOAD_PURPOSES = {
  /** A file of the caller, who gets what was announced. */
  image: { type: 'IMAGE', promised: ({ total, bytes }) => ({ total, bytes }) },
  /** A file of a guest for the owner of a request link. Strangers take no room by announcing: only what they have sent counts. */
  guest: { type: 'FILE', promised: ({ complete, received }) => ({ total: complete, bytes: received }) },
} as const satisfies Readonly<Record<string, Counting>>;

export type UploadPurpose = keyof typeof UPLOAD_PURPOSES;

/** How uploads of this purpose count; null for one of a later version. */
export const countingOf = (purpose: string): Counting | null =>
  Object.hasOwn(UPLOAD_PURPOSES, purpose) ? UPLOAD_PURPOSES[purpose as UploadPurpose] : null;

/**
 * Ends the addresses at which files of an account still arrive. Those of its request links stay, and of files that a
 * portal takes for its visitors.
 */
export async function endAddresses(trx: Queryable, ownerId: number, at: number): Promise<void> {
  const own: UploadPurpose = 'image';
  await deleteUnfinished(trx, ownerId, own);
  await endReservations(trx, ownerId, at, ['image', 'file']);
}
