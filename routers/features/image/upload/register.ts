import type { Readable } from 'node:stream';
import { z } from 'zod';
import { only } from '../../../../db/content/content.js';
import type { Image } from '../../../../db/content/file/image.js';
import {
  endedReservations,
  type Reservation,
  reservationById,
  takeEnded,
  takeReservation,
  unreservedKeys,
} from '../../../../db/content/upload/reservation.js';
import type { Queryable } from '../../../../db/engine/queryable.js';
import { fail, found } from '../../../base/errors.js';
import { localizable } from '../../../base/language/localizable.js';
import { type Adoption, BlobMissing, BlobTooLarge, type StagedBlob } from '../../../base/ports/storage.js';
import { releaseBlobs, removeUnreferenced } from '../../../core/blobs/blobs.js';
import { REGISTER_GRACE_MS } from '../../../core/blobs/reservation.js';
import type { AccountContext, Services } from '../../../core/context.js';
import { insertUnderId, uniqueIdInput } from '../../../core/items/ids.js';
import { refuseSize } from '../allowance.js';
import { prepareFile } from './prepare.js';
import { StagedUpload } from './staged.js';
import { insertPrepared, keepPrepared } from './store.js';
import { fieldsOf, itemFields, metadataPolicyOf } from './upload.js';

const SWEEP_BATCH = 100;

/** A file that was sent to its upload URL, to be registered. */
export const registerInput = z.object({
  uniqueId: uniqueIdInput,
  fileType: z.string().max(200).nullish(),
  size: z.int().nullish(),
  ...itemFields,
});
type RegisterInput = z.output<typeof registerInput>;

/**
 * Turns a file that was uploaded to a reserved address, or that a front end stored in the bucket itself, into an image.
 * Its bytes are copied to their hash, to which the uploader never had a URL, and checked like any upload; then the
 * uploaded object is deleted.
 */
export async function register(ctx: AccountContext, input: RegisterInput): Promise<Image> {
  const { app } = ctx;
  const uniqueId = input.uniqueId.toUpperCase();
  const reservation = await reservationById(app.db.read, uniqueId);
  const adoption = app.storage.blobs.direct?.adoption ?? null;
  if (reservation === null && adoption !== null && isAdoptable(uniqueId))
    return keepArrived(ctx, input, await adopted(app, adoption, uniqueId, input));
  return keepArrived(ctx, input, reserved(app, requireOwn(ctx, found(reservation))));
}

/** A file that arrived without passing through this server. */
interface Arrived {
  readonly uniqueId: string;
  readonly size: number;
  readonly filename: string | null;
  readonly contentType: string;
  open(): Promise<Readable>;
  /** The sealed name of what was announced as sealed, "" without one. */
  readonly seal?: string | null;
  /** Takes the right to register it, in the transaction that stores it; returns blobs that nothing references any more. */
  take(trx: Queryable): Promise<readonly string[]>;
  /** Removes the uploaded object. */
  remove(unreferenced: readonly string[]): Promise<void>;
}

async function keepArrived(ctx: AccountContext, input: RegisterInput, arrived: Arrived): Promise<Image> {
  const { app, account } = ctx;
  // What is sealed was said when its address was reserved, or is said now.
  const isSealed = typeof arrived.seal === 'string';
  const named = isSealed ? { sealed: true, sealedName: input.sealedName || arrived.seal } : {};
  const fields = { ...(await fieldsOf(app, account.id, { ...input, ...named })), uniqueId: arrived.uniqueId };
  const staged = await stageArrived(app, arrived);
  try {
    if (staged.size !== arrived.size || staged.size !== (input.size ?? staged.size))
      fail(
        'INVALID',
        localizable('The file has {size} bytes, which is not the announced size', { size: staged.size }),
      );
    const upload = new StagedUpload(staged, arrived.filename, input.fileType ?? arrived.contentType);
    const policy = await metadataPolicyOf(app, account.id);
    const file = await prepareFile(app, upload, {
      ...{ ownerId: account.id, policy, waitForPoster: true, sealed: fields.seal !== null },
    });
    try {
      const { image, unreferenced } = await insertUnderId(app.db, arrived.uniqueId, () =>
        keepPrepared(ctx, [file], async (trx) => {
          // Blobs before counters, as everywhere, to avoid deadlocks.
          const unreferenced = await arrived.take(trx);
          return { image: only(await insertPrepared(ctx, trx, [{ file, fields }])), unreferenced };
        }),
      );
      app.jobs.kick();
      await arrived.remove(unreferenced);
      return image;
    } finally {
      await file.discard();
    }
  } finally {
    await staged.discard();
  }
}

/** The uploaded bytes, staged; 400 if there are none or too many. */
export async function stageArrived(
  app: Services,
  arrived: Pick<Arrived, 'open' | 'size'>,
): Promise<StagedBlob> {
  let source: Readable | null = null;
  try {
    source = await arrived.open();
    return await app.storage.blobs.stage(source, { maxBytes: arrived.size });
  } catch (error) {
    if (error instanceof BlobMissing) fail('FILE_NOT_UPLOADED', { cause: error });
    if (error instanceof BlobTooLarge)
      fail('INVALID', { message: 'The file is larger than announced', cause: error });
    throw error;
  } finally {
    source?.destroy();
  }
}

const reserved = (app: Services, reservation: Reservation): Arrived => ({
  uniqueId: reservation.uniqueId,
  size: reservation.size,
  filename: reservation.filename,
  contentType: reservation.contentType,
  seal: reservation.seal,
  open: () => openReserved(app, reservation),
  take: async (trx) => releaseOf(trx, found(await takeReservation(trx, reservation.id))),
  remove: (unreferenced) => removeReserved(app, reservation, unreferenced),
});

/** How old a file may be that a front end stored itself: later nobody waits for it any more. */
const ADOPTABLE_MS = 60 * 60_000;

/** Whether a front end may have made this id itself. */
const isAdoptable = (uniqueId: string): boolean => /^[A-Z0-9]{8}$/.test(uniqueId);

/** A file that a front end stored in the bucket; 404 unless it is recent and has the named size, 400 if its id is taken. */
async function adopted(
  app: Services,
  adoption: Adoption,
  uniqueId: string,
  input: RegisterInput,
): Promise<Arrived> {
  const object = found(await adoption.find(uniqueId));
  if (object.modifiedAt < Date.now() - ADOPTABLE_MS || object.size !== input.size) fail('NOT_FOUND');
  if (object.size > app.settings.maxUploadBytes) refuseSize(app.settings);
  if ((await app.load.image(uniqueId)) !== null) fail('ID_TAKEN');
  return {
    uniqueId,
    size: object.size,
    filename: null,
    contentType: 'application/octet-stream',
    open: () => adoption.open(uniqueId),
    take: async () => [],
    remove: async () => {
      try {
        await adoption.remove(uniqueId);
      } catch (error) {
        // Its id is taken now, so it cannot be registered again.
        app.log.warn({ err: error, uniqueId }, 'an adopted object could not be removed from its old place');
      }
    },
  };
}

/** Refuses a reservation of another account, or one that can no longer be registered. */
function requireOwn({ account }: AccountContext, reservation: Reservation): Reservation {
  if (reservation.ownerId !== account.id) fail('NOT_OWNER');
  if (reservation.expiresAt + REGISTER_GRACE_MS <= Date.now()) fail('NOT_FOUND');
  return reservation;
}

/** Opens the bytes that arrived for a reservation; 400 if there are none. */
export async function openReserved(app: Services, { objectKey, sha256 }: Reservation): Promise<Readable> {
  if (app.storage.blobs.direct !== null) return app.storage.blobs.direct.openReserved(objectKey);
  return sha256 === null ? fail('FILE_NOT_UPLOADED') : app.storage.blobs.open(sha256);
}

/** Releases what arrived for a reservation that is deleted; returns blobs that nothing references any more. */
export const releaseOf = async (trx: Parameters<typeof releaseBlobs>[0], { sha256 }: Reservation) =>
  sha256 === null ? [] : releaseBlobs(trx, [sha256]);

/** Deletes the uploaded object. The sweep retries what fails here. */
export async function removeReserved(
  app: Services,
  { objectKey }: Reservation,
  unreferenced: readonly string[],
): Promise<void> {
  await removeUnreferenced(app, unreferenced);
  try {
    await app.storage.blobs.direct?.removeReserved(objectKey);
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
 * it deleted: if several processes do this at once, each counts for one of them. Aborting `signal` ends it early.
 */
export async function sweepReservations(
  app: Services,
  graceMs: number,
  signal = new AbortController().signal,
): Promise<number> {
  const before = Date.now() - graceMs;
  let ended = 0;
  while (!signal.aborted) {
    const batch = await endedReservations(app.db.read, before, SWEEP_BATCH);
    if (batch.length === 0) break;
    // In one write, for which others wait.
    const { taken, unreferenced } = await app.db.write(async (trx) => {
      const gone = await takeEnded(app.db, trx, batch, before);
      const held = gone.flatMap(({ sha256 }) => sha256 ?? []);
      return { taken: gone, unreferenced: await releaseBlobs(trx, held) };
    });
    await removeUnreferenced(app, unreferenced);
    for (const reservation of taken) await removeReserved(app, reservation, []);
    ended += taken.length;
    // What another process takes now is not waited for.
    if (taken.length < SWEEP_BATCH) break;
  }
  await sweepObjects(app, before, signal);
  return ended;
}

async function sweepObjects(app: Services, before: number, signal: AbortSignal): Promise<void> {
  const { direct } = app.storage.blobs;
  if (direct === null) return;
  let keys: string[] = [];
  const flush = async () => {
    for (const key of await unreservedKeys(app.db, keys)) await direct.removeReserved(key);
    keys = [];
  };
  for await (const { key, modifiedAt } of direct.listReserved()) {
    if (signal.aborted) return;
    if (modifiedAt > before) continue;
    if (keys.push(key) === SWEEP_BATCH) await flush();
  }
  await flush();
}
