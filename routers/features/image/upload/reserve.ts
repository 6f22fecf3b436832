import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  fillReservation,
  insertReservation,
  type NewReservation,
  openReservations,
  type Reservation,
  reservationById,
} from '../../../../db/content/upload/reservation.js';
import { AGE } from '../../../base/age.js';
import { fail, found } from '../../../base/errors.js';
import { localizable } from '../../../base/language/localizable.js';
import { iso } from '../../../base/text/dates.js';
import { lockAccount } from '../../../core/accounts/people.js';
import { keepBlobs } from '../../../core/blobs/blobs.js';
import { REGISTER_GRACE_MS } from '../../../core/blobs/reservation.js';
import type { AccountContext, Context, Services } from '../../../core/context.js';
import { requireUnblockedNetwork } from '../../../core/entry/entry.js';
import { displayName } from '../../../core/items/file-names.js';
import { insertUnderId, uniqueIdInput } from '../../../core/items/ids.js';
import { sealInput, sealOf } from '../../../core/items/seal.js';
import { requireQuotaForReservation, requireUnpausedOwner } from '../../../core/quotas/spend.js';
import { type Allowance, refuseSize } from '../allowance.js';
import { stagedUploadInput } from './staged.js';

/** How long an upload URL is valid, in seconds. */
const URL_SECONDS = 600;
/** Unregistered uploads that one account may have. */
const MAX_RESERVATIONS = 100;
/** Their size together, as a multiple of the largest upload. */
const MAX_LARGEST = 8;

const CONTENT_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;

/** A file that is to be sent to an upload URL. */
export const reserveInput = z.object({
  /** Browsers send "" or null for files of unknown type. */
  contentType: z
    .string()
    .nullable()
    .transform((value) => (value ?? '').split(';', 1)[0]?.trim().toLowerCase() || 'application/octet-stream')
    .pipe(z.string().regex(CONTENT_TYPE, 'use a media type like image/png')),
  size: z.int().min(1, 'enter the size in bytes'),
  filename: z.string().max(1_000).nullish(),
  ...sealInput,
});

/** Where and how to send a file (contract §4). */
export const uploadAddress = z.object({
  uid: z.string(),
  url: z.url(),
  method: z.literal('PUT'),
  /** Headers that the request must have. */
  headers: z.record(z.string(), z.string()),
  expiresAt: z.iso.datetime(),
});
type UploadAddress = z.output<typeof uploadAddress>;

/**
 * Creates a URL for uploading one file: one of the object store if it accepts uploads, otherwise one of this server.
 */
export async function reserve(
  ctx: AccountContext,
  input: z.output<typeof reserveInput>,
): Promise<UploadAddress> {
  const { app, account } = ctx;
  await app.limits.rates.take('create', String(account.id));
  if (input.size > app.settings.maxUploadBytes) refuseSize(app.settings);
  const seal = sealOf(input);
  const createdAt = Date.now();
  const reservation = await insertUnderId(app.db, null, async (uniqueId) => {
    const made = {
      uniqueId,
      objectKey: `${uniqueId}-${randomBytes(16).toString('hex')}`,
      ownerId: account.id,
      contentType: seal === null ? input.contentType : typeOfSealed(input.contentType),
      size: input.size,
      filename: seal === null ? displayName(input.filename ?? null) : null,
      seal,
      createdAt,
      expiresAt: createdAt + URL_SECONDS * 1000,
      purpose: 'image',
    } as const;
    await app.db.write(async (trx) => {
      await lockAccount(app, trx, account.id);
      const lost = createdAt - REGISTER_GRACE_MS;
      const { total, bytes, firstEnd } = await openReservations(trx, account.id, lost);
      const isFull = bytes + input.size > MAX_LARGEST * app.settings.maxUploadBytes;
      if (total >= MAX_RESERVATIONS || isFull)
        fail('TOO_MANY_REQUESTS', {
          message: 'Register the files you have uploaded first',
          retryAfter: Math.ceil((firstEnd - lost) / 1000),
        });
      await requireQuotaForReservation(trx, account.id, 'IMAGE', { count: 1, bytes: input.size });
      await insertReservation(trx, made);
    });
    return made;
  });
  return addressOf(app, reservation);
}

/** The type that the bytes are sent with: it says nothing of the content. */
const typeOfSealed = (type: string): string => (type === 'application/octet-stream' ? type : AGE.mimeType);

async function addressOf(app: Services, reservation: NewReservation): Promise<UploadAddress> {
  const { uniqueId, objectKey, contentType, size, expiresAt } = reservation;
  const { direct } = app.storage.blobs;
  const presigned =
    direct === null
      ? { url: ownUrl(app, uniqueId, objectKey), expiresAt }
      : await direct.presignPut(objectKey, { contentType, size, expiresInSeconds: URL_SECONDS });
  return {
    uid: uniqueId,
    url: presigned.url,
    method: 'PUT',
    headers: { 'content-type': contentType },
    expiresAt: iso(presigned.expiresAt),
  };
}

const subjectOf = (objectKey: string): string => `reservation:${objectKey}`;

const ownUrl = (app: Services, uniqueId: string, objectKey: string): string =>
  `${app.settings.baseUrl}/image/reserved/${uniqueId}?token=${app.secrets.sign(subjectOf(objectKey))}`;

const reservedInput = z.object({ uniqueId: uniqueIdInput, token: z.string().max(200) });

/** The reservation of an upload URL of this server; 403 for a wrong token, 404 after it has expired. */
async function openReservation({ app }: Context, input: z.input<typeof reservedInput>): Promise<Reservation> {
  // The file is admitted before any procedure has validated the input.
  const asked = found(reservedInput.safeParse(input).data);
  const reservation = found(await reservationById(app.db.read, asked.uniqueId.toUpperCase()));
  if (!app.secrets.verifySignature(subjectOf(reservation.objectKey), asked.token)) fail('UPLOAD_URL_INVALID');
  if (reservation.expiresAt <= Date.now()) fail('NOT_FOUND');
  if (reservation.sha256 !== null) fail('UPLOAD_URL_INVALID');
  return reservation;
}

/** Allows the one file of an upload URL, with the announced size. */
export async function allowReserved(ctx: Context, input: z.input<typeof reservedInput>): Promise<Allowance> {
  await requireUnblockedNetwork(ctx);
  const { size } = await openReservation(ctx, input);
  return { maxBytes: size, proven: true, counted: false, refuse: (cause) => fail('TOO_LARGE', { cause }) };
}

/** The file that arrived at an upload URL. */
export const fillInput = reservedInput.extend({ file: stagedUploadInput });

/** Stores the one file of an upload URL; it stays hidden until its owner registers it. */
export async function fillReserved(ctx: Context, input: z.output<typeof fillInput>): Promise<string> {
  const { app } = ctx;
  const reservation = await openReservation(ctx, input);
  const { blob } = input.file;
  if (blob.size !== reservation.size)
    fail('INVALID', localizable('Send exactly the announced {size} bytes', { size: reservation.size }));
  await keepBlobs(app, [blob], async (trx) => {
    if (reservation.ownerId !== null) await requireUnpausedOwner(trx, reservation.ownerId);
    if (!(await fillReservation(trx, reservation.id, { sha256: blob.sha256 }, Date.now())))
      fail('UPLOAD_URL_INVALID');
  });
  return reservation.uniqueId;
}
