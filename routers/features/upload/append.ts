import { z } from 'zod';
import {
  completeUpload,
  setUploadLength,
  type Upload,
  uploadById,
} from '../../../db/content/upload/upload.js';
import { partsOf, recordReceived } from '../../../db/content/upload/upload-parts.js';
import { DomainError, fail, found } from '../../base/errors.js';
import type { PartWriter } from '../../base/ports/storage.js';
import { iso } from '../../base/text/dates.js';
import type { Context, Services } from '../../core/context.js';
import { requireUnblockedNetwork } from '../../core/entry/entry.js';
import { UPLOAD_PURPOSES } from '../../core/items/upload-purposes.js';
import { quotaOf } from '../../core/quotas/spend.js';
import { type Checksum, checksumOf } from './checksum.js';
import { ADDRESS_MS, findUpload, secretInput } from './find.js';
import { type Hold, holding } from './hold.js';
import { type IncomingPart, incomingPartInput } from './incoming.js';
import type { Largest, Purpose } from './purpose.js';
import { purposeNamed } from './purposes.js';

/** A part of an upload that arrives in several requests. */
export const appendInput = z.object({
  secret: secretInput,
  /** Where the bytes belong. */
  offset: z.int().min(0),
  /** All bytes of the upload, if the client could not say it before. */
  length: z.int().min(1).nullable(),
  checksum: z.string().max(200).nullable(),
  part: incomingPartInput,
});
type AppendInput = z.output<typeof appendInput>;

/** How far an upload is. */
export const appendedRecord = z.object({
  offset: z.int(),
  length: z.int().nullable(),
  expiresAt: z.iso.datetime(),
});
export type Appended = z.output<typeof appendedRecord>;

/**
 * Adds bytes to an upload. Those that have arrived whole are durable before the answer; of a request that breaks off,
 * those that arrived stay, unless it has a checksum, which then cannot be compared. The last ones complete the upload.
 */
export async function append(ctx: Context, input: AppendInput): Promise<Appended> {
  const { app } = ctx;
  const { part } = input;
  const checksum = checksumOf(input.checksum);
  await requireUnblockedNetwork(ctx);
  const known = await findUpload(app, input.secret);
  if (!part.isTyped) fail('UPLOAD_TYPE');
  const purpose = purposeNamed(known.purpose);
  const largest = await purpose.mayGoOn(app, known);
  part.known();
  return holding(app, known.id, part, async (hold) => {
    const upload = found(await uploadById(app.db.read, known.id));
    if (input.offset !== upload.received) fail('UPLOAD_OFFSET');
    const length = await lengthOf(app, upload, input.length, { purpose, largest });
    const bound = smaller(
      length === null ? await quotaFor(app, purpose, upload) : announced(length),
      largest,
    );
    if (upload.received + (part.announced ?? 0) > bound.bytes) bound.refuse();
    if (upload.state !== 'receiving') return progress(upload.received, length, upload.expiresAt);
    const task = { part, checksum, length, bound };
    const { received, expiresAt } = await receive(app, hold, upload, task);
    return progress(received, length, expiresAt);
  });
}

const progress = (offset: number, length: number | null, expiresAt: number): Appended => ({
  offset,
  length,
  expiresAt: iso(expiresAt),
});

/** The length of an upload, which may be said once, and never changes. */
async function lengthOf(
  app: Services,
  upload: Upload,
  said: number | null,
  { purpose, largest }: { readonly purpose: Purpose; readonly largest: Largest },
): Promise<number | null> {
  if (said === null || said === upload.length) return upload.length;
  if (upload.length !== null) fail('INVALID', 'The length of an upload cannot change');
  if (said > largest.bytes) largest.refuse();
  if (said < upload.received) fail('INVALID', 'More bytes than that have arrived already');
  await app.db.write(async (trx) => {
    await purpose.requireQuota(trx, upload.ownerId, { count: 0, bytes: said - upload.received });
    await setUploadLength(trx, upload.id, said);
  });
  return said;
}

const smaller = (one: Largest, other: Largest): Largest => (one.bytes <= other.bytes ? one : other);

const announced = (length: number): Largest => ({
  bytes: length,
  refuse: () => fail('TOO_LARGE', 'These are more bytes than announced'),
});

/** How large an upload without a length may become: what has arrived of it counts against the limits of its owner. */
async function quotaFor(app: Services, purpose: Purpose, { ownerId, received }: Upload): Promise<Largest> {
  const quota = await quotaOf(app, ownerId, UPLOAD_PURPOSES[purpose.name].type);
  const bytes = quota.bytes ?? Number.POSITIVE_INFINITY;
  const refuse = (): never => purpose.refuseQuota(quota.excess({ count: 0, bytes: bytes + 1 }));
  return { bytes: received + bytes, refuse };
}

interface Receiving {
  readonly part: IncomingPart;
  readonly checksum: Checksum | null;
  /** All bytes of the upload, if that is known. */
  readonly length: number | null;
  /** How large the whole upload may become. */
  readonly bound: Largest;
}

interface Received {
  readonly received: number;
  readonly expiresAt: number;
}

/** Stores what a request brings; records it from time to time, so that little is sent twice. */
async function receive(app: Services, hold: Hold, upload: Upload, task: Receiving): Promise<Received> {
  const { parts } = app.storage.blobs;
  const last = (await partsOf(app.db.read, upload.id)).at(-1) ?? null;
  const writer = await parts.open({ start: upload.received, last, settled: hold.taken === 'free' });
  let position = upload.received;
  let done: Received = { received: upload.received, expiresAt: upload.expiresAt };
  const record = async (): Promise<void> => {
    done = await recordSynced(app, hold, upload, writer, {
      more: position - done.received,
      received: position,
      length: task.length,
    });
  };
  try {
    let recordedAt = performance.now();
    const isDue = () =>
      position - done.received >= parts.rhythm.bytes || performance.now() - recordedAt >= parts.rhythm.ms;
    try {
      for await (const chunk of task.part.chunks) {
        position += chunk.length;
        if (position > task.bound.bytes) task.bound.refuse();
        task.checksum?.update(chunk);
        await writer.write(chunk);
        if (task.checksum !== null || !isDue()) continue;
        await record();
        recordedAt = performance.now();
      }
    } catch (error) {
      if (task.checksum === null && isCut(error)) {
        await record();
        await writer.close();
      }
      throw error;
    }
    if (task.checksum?.matches() === false) fail('UPLOAD_CHECKSUM');
    await record();
    await writer.close();
    return done;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** Whether the client went away, or another request ended this one. */
const isCut = (error: unknown): boolean =>
  (error instanceof DomainError && error.reason === 'UPLOAD_BUSY') ||
  CUT.has(String((error as { code?: unknown } | null)?.code));
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);

/**
 * Records what has become durable; 423 if another request has taken over, or the upload is gone. The last bytes
 * complete the upload in the same transaction, and what happens then is a job.
 */
async function recordSynced(
  app: Services,
  { token }: Hold,
  upload: Upload,
  writer: PartWriter,
  {
    more,
    received,
    length,
  }: { readonly more: number; readonly received: number; readonly length: number | null },
): Promise<Received> {
  const { id } = upload;
  const synced = await writer.sync();
  const expiresAt = Date.now() + ADDRESS_MS;
  await app.db.write(async (trx) => {
    await purposeNamed(upload.purpose).requireSpace(app, trx, upload, more);
    if (!(await recordReceived(trx, { id, token, received, expiresAt }, synced))) fail('UPLOAD_BUSY');
    if (received === length && (await completeUpload(trx, id)))
      await app.jobs.add(trx, 'upload', { uploadId: id });
  });
  if (received === length) app.jobs.kick();
  return { received, expiresAt };
}
