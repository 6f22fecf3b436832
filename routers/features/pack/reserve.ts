import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isAddressTaken } from '../../../db/content/collection/collection-item.js';
import {
  extendReservation,
  fillReservation,
  insertReservation,
  openReservations,
  type Reservation,
  reservationByKey,
} from '../../../db/content/upload/reservation.js';
import { DAY_MS } from '../../../db/engine/days.js';
import { fail, found } from '../../base/errors.js';
import { isAdmin } from '../../base/roles.js';
import { iso } from '../../base/text/dates.js';
import { lockAccount } from '../../core/accounts/people.js';
import { keepBlobs } from '../../core/blobs/blobs.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { requireUnblockedNetwork } from '../../core/entry/entry.js';
import { networkMark } from '../../core/entry/network-mark.js';
import { quotaOf, requireQuotaForReservation } from '../../core/quotas/spend.js';
import { type Allowance, refuseSize, stagedUploadInput } from '../image/public.js';
import { fileNameInput, reservedIdOf } from './names.js';

/** How long an upload may begin at its URL, in seconds. A portal sends its files one after another. */
const URL_SECONDS = 60 * 60;
/** How long a name stays reserved after the last byte that arrived. */
const RESERVED_MS = DAY_MS;
/** With direct transfer nobody says when the last byte arrived, so that there is another day for the upload. */
const DIRECT_MS = 2 * DAY_MS;
/** How often a reservation is extended while its file arrives. */
const EXTEND_MS = 60 * 60 * 1000;
/** What may wait to be registered. */
interface Bounds {
  readonly open: number;
  /** The size of all, as a multiple of the largest upload. */
  readonly largest: number;
  readonly isRated: boolean;
}
const PERSON: Bounds = { open: 100, largest: 16, isRated: true };
/** For all visitors of a portal together. */
const PORTAL: Bounds = { open: 10_000, largest: 256, isRated: false };

/** A file of a pack that is to be sent to an upload URL. */
export const presignInput = z.object({
  filename: fileNameInput,
  /** Browsers send "" for types that they do not know. */
  contentType: z.string().max(200).nullish(),
});

/** Where to send a file of a pack. */
export const packAddress = z.object({ url: z.url(), expiresAt: z.iso.datetime() });

/** Whether the caller reserves on behalf of a portal's visitors, whose accounts it does not know. */
const isPortal = ({ account }: AccountContext): boolean =>
  account.key !== null && (account.key.asVisitor || (account.key.isMain && isAdmin(account.role)));

/** Reserves a name and creates a URL for the upload of its file; 400 if the name is taken or reserved. */
export async function presign(
  ctx: AccountContext,
  input: z.output<typeof presignInput>,
): Promise<z.output<typeof packAddress>> {
  const { app, account } = ctx;
  const purpose = isPortal(ctx) ? 'portalFile' : 'file';
  // Any account can have a key that reads as a visitor; only that of an administrator speaks for many people.
  const bounds = isPortal(ctx) && isAdmin(account.role) ? PORTAL : PERSON;
  if (bounds.isRated) await app.limits.rates.take('create', String(account.id));
  const createdAt = Date.now();
  const { direct } = app.storage.blobs;
  const reservation = {
    uniqueId: reservedIdOf(input.filename),
    objectKey: `file-${randomBytes(16).toString('hex')}`,
    ownerId: account.id,
    contentType: typeOf(input.contentType),
    size: 0,
    filename: null,
    createdAt,
    expiresAt: createdAt + URL_SECONDS * 1000 + (direct === null ? RESERVED_MS : DIRECT_MS),
    purpose,
  } as const;
  try {
    await app.db.write(async (trx) => {
      await lockAccount(app, trx, account.id);
      const { total, bytes, firstEnd } = await openReservations(trx, account.id, createdAt, [purpose]);
      if (total >= bounds.open || bytes >= bounds.largest * app.settings.maxUploadBytes)
        fail('TOO_MANY_REQUESTS', {
          message: 'Too many files wait to be registered',
          retryAfter: Math.max(1, Math.ceil((firstEnd - createdAt) / 1000)),
        });
      if (await isAddressTaken(trx, input.filename))
        fail('ID_TAKEN', 'This file name is taken, choose another one');
      await requireQuotaForReservation(trx, account.id, 'FILE', { count: 1, bytes: 0 });
      await insertReservation(trx, reservation);
    });
  } catch (error) {
    if (!app.db.dialect.isUniqueViolation(error)) throw error;
    fail('ID_TAKEN', { message: 'This file name is reserved, choose another one', cause: error });
  }
  return addressOf(app, reservation);
}

/** The type as the upload will name it; "" if the browser knows none, or if no header could carry it. */
const typeOf = (type: string | null | undefined): string =>
  /^[\x20-\x7e]*$/.test(type ?? '') ? (type ?? '').trim() : '';

async function addressOf(
  app: Services,
  { objectKey, contentType }: Pick<Reservation, 'objectKey' | 'contentType'>,
): Promise<z.output<typeof packAddress>> {
  const { direct } = app.storage.blobs;
  if (direct === null) {
    const until = Math.floor(Date.now() / 1000) + URL_SECONDS;
    const token = `${until}.${app.secrets.sign(subjectOf(objectKey, until))}`;
    return {
      url: `${app.settings.baseUrl}/files/reserved/${objectKey}?token=${token}`,
      expiresAt: iso(until * 1000),
    };
  }
  const presigned = await direct.presignPut(objectKey, {
    contentType,
    size: null,
    expiresInSeconds: URL_SECONDS,
  });
  return { url: presigned.url, expiresAt: iso(presigned.expiresAt) };
}

const subjectOf = (objectKey: string, until: number): string => `pack file:${objectKey}:${until}`;

const reservedInput = z.object({ upload: z.string().max(64), token: z.string().max(200) });

/** The reservation of an upload URL of this server; 403 for a URL that is wrong, used or too old. */
async function openReservation({ app }: Context, input: z.input<typeof reservedInput>): Promise<Reservation> {
  // The file is admitted before any procedure has validated the input.
  const asked = found(reservedInput.safeParse(input).data);
  const reservation = found(await reservationByKey(app.db.read, asked.upload));
  const [, until = '', signature = ''] = /^(\d{1,12})\.([0-9a-f]+)$/.exec(asked.token) ?? [];
  if (!app.secrets.verifySignature(subjectOf(asked.upload, Number(until)), signature))
    fail('UPLOAD_URL_INVALID');
  if (reservation.sha256 !== null || reservation.expiresAt <= Date.now()) fail('UPLOAD_URL_INVALID');
  return reservation;
}

/** Allows the one file of an upload URL; the URL has to be valid when the file begins to arrive. */
export async function allowPackFile(ctx: Context, input: z.input<typeof reservedInput>): Promise<Allowance> {
  await requireUnblockedNetwork(ctx);
  const { id, ownerId } = await openReservation(ctx, input);
  if (Number(input.token.split('.', 1)[0]) * 1000 <= Date.now()) fail('UPLOAD_URL_INVALID');
  const { app } = ctx;
  const quota = ownerId === null ? null : await quotaOf(app, ownerId, 'FILE');
  const extend = () =>
    app.db
      .write((trx) => extendReservation(trx, id, Date.now(), Date.now() + RESERVED_MS))
      .catch((error: unknown) => app.log.warn({ err: error }, 'a reservation could not be extended'));
  await extend();
  const beat = setInterval(extend, EXTEND_MS).unref();
  ctx.onFinished(() => clearInterval(beat));
  const { settings } = app;
  const left = quota?.bytes ?? Number.POSITIVE_INFINITY;
  return {
    maxBytes: Math.min(settings.maxUploadBytes, left),
    proven: true,
    counted: false,
    refuse: (cause) => {
      if (left < settings.maxUploadBytes) throw quota?.excess({ count: 0, bytes: left + 1 }) ?? cause;
      return refuseSize(settings, cause);
    },
  };
}

/** The file that arrived at an upload URL of a pack. */
export const fillPackInput = reservedInput.extend({ file: stagedUploadInput });

/** Stores the one file of an upload URL; it stays hidden until it is registered. */
export async function fillPackFile(ctx: Context, input: z.output<typeof fillPackInput>): Promise<void> {
  const { app } = ctx;
  const reservation = await openReservation(ctx, input);
  const { blob } = input.file;
  if (blob.size === 0) fail('FILE_EMPTY');
  await keepBlobs(app, [blob], async (trx) => {
    // The file itself is counted since its name was reserved.
    const wanted = { count: 0, bytes: blob.size };
    if (reservation.ownerId !== null)
      await requireQuotaForReservation(trx, reservation.ownerId, 'FILE', wanted);
    const at = Date.now();
    const filling = {
      sha256: blob.sha256,
      sentFrom: networkMark(ctx),
      size: blob.size,
      expiresAt: at + RESERVED_MS,
    };
    if (!(await fillReservation(trx, reservation.id, filling, at))) fail('UPLOAD_URL_INVALID');
  });
}
