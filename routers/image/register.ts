import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Image } from '../../db/image.js';
import {
  endedReservations,
  type Reservation,
  reservationById,
  takeReservation,
  unreservedKeys,
} from '../../db/reservation.js';
import { releaseBlobs, removeUnnamed } from '../blobs.js';
import type { Services } from '../context.js';
import { fail, found } from '../errors.js';
import { insertUnderId, uniqueIdInput } from '../ids.js';
import { BlobMissing, BlobTooLarge, type StagedBlob } from '../ports/storage.js';
import type { AccountContext } from '../trpc.js';
import { insertPrepared, keepPrepared, prepareFile } from './prepare.js';
import { REGISTER_GRACE_MS } from './reserve.js';
import { StagedUpload } from './staged.js';
import { fieldsOf, itemFields, metadataPolicyOf } from './upload.js';

const SWEEP_BATCH = 100;

export const registerInput = z.object({
  uniqueId: uniqueIdInput,
  fileType: z.string().max(200).nullish(),
  size: z.int().nullish(),
  ...itemFields,
});
type RegisterInput = z.output<typeof registerInput>;

/**
 * Turns a file that was uploaded to a reserved address into an image. Its bytes are copied to their hash, to
 * which the uploader never had a URL, and checked like any upload; then the reserved object is deleted.
 */
export async function register(ctx: AccountContext, input: RegisterInput): Promise<Image> {
  const { app, account } = ctx;
  const reservation = await reservationOf(ctx, input);
  const staged = await fetchReserved(app, reservation);
  try {
    if (staged.size !== reservation.size || staged.size !== (input.size ?? staged.size))
      fail('INVALID', `The file has ${staged.size} bytes, which is not the announced size`);
    const upload = new StagedUpload(staged, reservation.filename, input.fileType ?? reservation.contentType);
    const policy = await metadataPolicyOf(app, account.id);
    const file = await prepareFile(app, upload, { policy, waitForPoster: true });
    try {
      const fields = { ...(await fieldsOf(app, account.id, input)), uniqueId: reservation.uniqueId };
      const { image, unnamed } = await insertUnderId(app.db, reservation.uniqueId, () =>
        keepPrepared(ctx, [file], async (trx) => {
          const taken = found(await takeReservation(trx, reservation.id));
          // Blobs before counters, as everywhere, to avoid deadlocks.
          const unnamed = await releaseOf(trx, taken);
          return { image: await insertPrepared(ctx, trx, file, fields), unnamed };
        }),
      );
      app.jobs.kick();
      await removeReserved(app, reservation, unnamed);
      return image;
    } finally {
      await file.discard();
    }
  } finally {
    await staged.discard();
  }
}

async function reservationOf({ app, account }: AccountContext, input: RegisterInput): Promise<Reservation> {
  const reservation = found(await reservationById(app.db.read, input.uniqueId.toUpperCase()));
  if (reservation.ownerId !== account.id) fail('NOT_OWNER');
  if (reservation.expiresAt + REGISTER_GRACE_MS <= Date.now()) fail('NOT_FOUND');
  return reservation;
}

/** The uploaded bytes, staged; 400 if there are none or too many. */
async function fetchReserved(app: Services, reservation: Reservation): Promise<StagedBlob> {
  let source: Readable | null = null;
  try {
    source = await openReserved(app, reservation);
    return await app.blobs.stage(source, { maxBytes: reservation.size });
  } catch (error) {
    if (error instanceof BlobMissing) fail('FILE_NOT_UPLOADED', { cause: error });
    if (error instanceof BlobTooLarge)
      fail('INVALID', { message: 'The file is larger than announced', cause: error });
    throw error;
  } finally {
    source?.destroy();
  }
}

async function openReserved(app: Services, { objectKey, sha256 }: Reservation): Promise<Readable> {
  if (app.blobs.direct !== null) return app.blobs.direct.openReserved(objectKey);
  return sha256 === null ? fail('FILE_NOT_UPLOADED') : app.blobs.open(sha256);
}

const releaseOf = async (trx: Parameters<typeof releaseBlobs>[0], { sha256 }: Reservation) =>
  sha256 === null ? [] : releaseBlobs(trx, [sha256]);

/** Deletes the uploaded object. The sweep retries what fails here. */
async function removeReserved(
  app: Services,
  { objectKey }: Reservation,
  unnamed: readonly string[],
): Promise<void> {
  await removeUnnamed(app, unnamed);
  try {
    await app.blobs.direct?.removeReserved(objectKey);
  } catch (error) {
    app.log.warn(
      { err: error, objectKey },
      'a reserved object could not be removed; the sweep will try again',
    );
  }
}

/**
 * Deletes reservations that expired more than `graceMs` ago, and objects that no reservation references:
 * those of expired ones, and those that were sent again after the registration. Returns how many reservations
 * it deleted.
 */
export async function sweepReservations(app: Services, graceMs: number): Promise<number> {
  const before = Date.now() - graceMs;
  let ended = 0;
  for (;;) {
    const batch = await endedReservations(app.db.read, before, SWEEP_BATCH);
    for (const reservation of batch) {
      const unnamed = await app.db.write(async (trx) => {
        const taken = await takeReservation(trx, reservation.id);
        return taken === null ? [] : releaseOf(trx, taken);
      });
      await removeReserved(app, reservation, unnamed);
    }
    ended += batch.length;
    if (batch.length < SWEEP_BATCH) break;
  }
  await sweepObjects(app, before);
  return ended;
}

async function sweepObjects(app: Services, before: number): Promise<void> {
  const { direct } = app.blobs;
  if (direct === null) return;
  let keys: string[] = [];
  const flush = async () => {
    for (const key of await unreservedKeys(app.db, keys)) await direct.removeReserved(key);
    keys = [];
  };
  for await (const { key, modifiedAt } of direct.listReserved()) {
    if (modifiedAt > before) continue;
    if (keys.push(key) === SWEEP_BATCH) await flush();
  }
  await flush();
}
