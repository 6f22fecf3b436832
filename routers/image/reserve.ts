import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  fillReservation,
  insertReservation,
  openReservations,
  type Reservation,
  reservationById,
} from '../../db/reservation.js';
import { keepBlobs } from '../blobs.js';
import type { Context, Services } from '../context.js';
import { iso } from '../dates.js';
import { fail, found } from '../errors.js';
import { insertUnderId, uniqueIdInput } from '../ids.js';
import { lockAccount } from '../people.js';
import type { AccountContext } from '../trpc.js';
import { type Allowance, refuseSize } from './allowance.js';
import { displayName } from './names.js';
import { stagedUploadInput } from './staged.js';

/** How long an upload address takes its file, in seconds. */
const URL_SECONDS = 600;
/** How long after its address has ended a file can be registered; it may have been under way till then. */
export const REGISTER_GRACE_MS = 50 * 60_000;
/** Addresses of one account whose files have not been registered. */
const MAX_RESERVATIONS = 100;

const CONTENT_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;

export const reserveInput = z.object({
  /** "" and null are what a browser knows of many files. */
  contentType: z
    .string()
    .nullable()
    .transform((value) => (value ?? '').split(';', 1)[0]?.trim().toLowerCase() || 'application/octet-stream')
    .pipe(z.string().regex(CONTENT_TYPE, 'give a media type')),
  size: z.int().min(1, 'give the size in bytes'),
  filename: z.string().max(1_000).nullish(),
});

/** Where and how to send a file (contract §4). */
export const uploadAddress = z.object({
  uid: z.string(),
  url: z.url(),
  method: z.literal('PUT'),
  /** What the request must carry. */
  headers: z.record(z.string(), z.string()),
  expiresAt: z.iso.datetime(),
});
export type UploadAddress = z.output<typeof uploadAddress>;

/** Hands out an address for one file: of the object store where it takes uploads itself, else our own. */
export async function reserve(
  ctx: AccountContext,
  input: z.output<typeof reserveInput>,
): Promise<UploadAddress> {
  const { app, account } = ctx;
  await app.limits.take('create', String(account.id));
  if (input.size > app.settings.maxUploadBytes) refuseSize(app.settings);
  const createdAt = Date.now();
  const reservation = await insertUnderId(app.db, null, async (uniqueId) => {
    const made = {
      uniqueId,
      objectKey: `${uniqueId}-${randomBytes(16).toString('hex')}`,
      ownerId: account.id,
      contentType: input.contentType,
      size: input.size,
      filename: displayName(input.filename ?? null),
      createdAt,
      expiresAt: createdAt + URL_SECONDS * 1000,
    };
    await app.db.write(async (trx) => {
      await lockAccount(app, trx, account.id);
      const lost = createdAt - REGISTER_GRACE_MS;
      const { total, firstEnd } = await openReservations(trx, account.id, lost);
      if (total >= MAX_RESERVATIONS)
        fail('TOO_MANY_REQUESTS', {
          message: 'Register the files you have uploaded first',
          retryAfter: Math.ceil((firstEnd - lost) / 1000),
        });
      await insertReservation(trx, made);
    });
    return made;
  });
  return addressOf(app, reservation);
}

async function addressOf(
  app: Services,
  reservation: Omit<Reservation, 'id' | 'sha256'>,
): Promise<UploadAddress> {
  const { uniqueId, objectKey, contentType, size, expiresAt } = reservation;
  const { direct } = app.blobs;
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

/** The reservation that an address of ours names; 403 for a wrong token, 404 once it is over. */
async function openReservation({ app }: Context, input: z.input<typeof reservedInput>): Promise<Reservation> {
  // The file is admitted before any procedure has looked at the address.
  const asked = found(reservedInput.safeParse(input).data);
  const reservation = found(await reservationById(app.db.read, asked.uniqueId.toUpperCase()));
  if (!app.secrets.verifySignature(subjectOf(reservation.objectKey), asked.token)) fail('UPLOAD_URL_INVALID');
  if (reservation.expiresAt <= Date.now()) fail('NOT_FOUND');
  if (reservation.sha256 !== null) fail('UPLOAD_URL_INVALID');
  return reservation;
}

/** Lets the one file of an address of ours come, as large as was announced. */
export async function allowReserved(ctx: Context, input: z.input<typeof reservedInput>): Promise<Allowance> {
  const { size } = await openReservation(ctx, input);
  return { maxBytes: size, proven: true, counted: false, refuse: (cause) => fail('TOO_LARGE', { cause }) };
}

export const fillInput = reservedInput.extend({ file: stagedUploadInput });

/** Stores the one file of an upload URL; it stays hidden until its owner registers it. */
export async function fillReserved(ctx: Context, input: z.output<typeof fillInput>): Promise<string> {
  const { app } = ctx;
  const reservation = await openReservation(ctx, input);
  const { blob } = input.file;
  if (blob.size !== reservation.size)
    fail('INVALID', `Send the ${reservation.size} bytes that were announced`);
  await keepBlobs(app, [blob], async (trx) => {
    if (!(await fillReservation(trx, reservation.id, blob.sha256, Date.now()))) fail('UPLOAD_URL_INVALID');
  });
  return reservation.uniqueId;
}
