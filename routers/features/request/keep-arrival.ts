import { lockCollectionById } from '../../../db/content/collection/collection.js';
import { sizeOfCollection } from '../../../db/content/collection/collection-item.js';
import { addItems } from '../../../db/content/collection/place-items.js';
import { lookupId, only } from '../../../db/content/content.js';
import { type Image, imageById } from '../../../db/content/file/image.js';
import type { Happening } from '../../../db/content/told/told.js';
import { fileByReceipt, insertRequestFile } from '../../../db/content/upload/request-file.js';
import { requestByKey, takeQuota, type UploadRequest } from '../../../db/content/upload/upload-request.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { webhookOf } from '../../../db/webhook/webhook.js';
import { readableSize } from '../../base/embed.js';
import { DomainError, fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { wallTopic } from '../../base/ports/hub.js';
import { PUSH_FORMATS } from '../../base/ports/outbound.js';
import type { AccountContext, Services } from '../../core/context.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { generateId, insertUnderId } from '../../core/items/ids.js';
import { endOfNew } from '../../core/items/lifetime.js';
import { hashSecret } from '../../core/secrets.js';
import { planTelling } from '../../core/telling/due.js';
import { emit } from '../../core/webhook/emit.js';
import { receivedItem } from '../../core/webhook/events.js';
import { MAX_FILES } from '../collection/public.js';
import {
  insertPrepared,
  keepPrepared,
  metadataPolicyOf,
  type PreparedFile,
  prepareFile,
  type StagedUpload,
} from '../image/public.js';
import { isTaking, leftOf } from './find.js';
import { requestUrl } from './record.js';
import { isOfTypes } from './types.js';

/** What a guest sends. A file with a receipt that came before is not stored again. */
interface Arrival {
  readonly request: UploadRequest;
  readonly sender: string | null;
  readonly file: StagedUpload;
  readonly seal: string | null;
  readonly receipt: string;
}

/** A file that was stored, and the request after it. */
interface Kept {
  readonly after: UploadRequest;
  readonly name: string;
  readonly size: number;
  readonly fileId: string;
}

/** A file with this receipt came before. */
class CameBefore extends Error {}

/** What is done besides, in the transaction that stores the file. */
type Also = (trx: Queryable, image: Image) => Promise<void>;

/**
 * Stores a file of a guest as a private item of the owner of a request, whom `ctx` stands for, and in its collection.
 * Exact under any concurrency: the room is taken in the transaction that stores the file.
 */
export async function storeArrival(
  ctx: AccountContext,
  arrival: Arrival,
  also: Also = async () => undefined,
): Promise<Kept> {
  const { app } = ctx;
  const { types, ownerId } = arrival.request;
  const policy = await metadataPolicyOf(app, ownerId);
  const file = await prepareFile(app, arrival.file, {
    ownerId,
    policy,
    waitForPoster: false,
    anyContent: true,
    sealed: arrival.seal !== null,
  });
  try {
    if (!isOfTypes(types, file.facts, file.originalName))
      fail(
        'UNSUPPORTED',
        localizable('Only these types of files are taken here: {types}', { types: types.join(', ') }),
      );
    const kept = await keepOnce(ctx, arrival, file, also);
    app.jobs.kick();
    app.hub.publish(wallTopic(arrival.request.id), { fileId: kept.fileId });
    return kept;
  } finally {
    await file.discard();
  }
}

async function keepOnce(
  ctx: AccountContext,
  arrival: Arrival,
  file: PreparedFile,
  also: Also,
): Promise<Kept> {
  const { app } = ctx;
  const storing = insertUnderId(app.db, null, () =>
    keepPrepared(ctx, [file], (trx) => keep(ctx, trx, arrival, file, also), 'FILE'),
  );
  try {
    return await withoutLimits(storing);
  } catch (error) {
    if (error instanceof CameBefore) return joinFirst(app, arrival, also);
    throw error;
  }
}

/** What became of a file when it was sent first; 400 if it was taken back or deleted since. */
async function joinFirst(app: Services, { request, receipt }: Arrival, also: Also): Promise<Kept> {
  const first = await fileByReceipt(app.db.read, request.id, hashSecret(receipt));
  const image = first?.imageId == null ? null : await imageById(app.db.read, first.imageId);
  if (first === null || image === null) return fail('INVALID', 'This file was sent before, and removed');
  await app.db.write((trx) => also(trx, image));
  const after = found(await requestByKey(app.db.read, lookupId(request.uniqueId)));
  return { after, name: first.name, size: first.size, fileId: image.uniqueId };
}

/** Guests learn that there is no room, but not the limits of the owner. */
export const refuseQuota = (cause: unknown): never =>
  fail('LIMIT_EXCEEDED', { message: 'There is no room for this file here at the moment', cause });

/** Passes a refusal by the limits of the owner on as `refuseQuota` does. */
export async function withoutLimits<T>(storing: Promise<T>): Promise<T> {
  try {
    return await storing;
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'LIMIT_EXCEEDED') refuseQuota(error);
    throw error;
  }
}

async function keep(
  ctx: AccountContext,
  trx: Queryable,
  { request, sender, seal, file: { blob }, receipt }: Arrival,
  file: PreparedFile,
  also: Also,
): Promise<Kept> {
  const { app } = ctx;
  const at = Date.now();
  // Collections before requests, as when one is deleted, to avoid deadlocks.
  if (request.collectionId !== null) await lockCollectionById(app.db, trx, request.collectionId);
  // What the guest sent counts, not what is left of it without its metadata.
  const { size } = blob;
  const after = (await takeQuota(trx, request.id, size, at)) ?? (await refuseFull(trx, request.uniqueId));
  const fields = {
    uniqueId: generateId(),
    ownerId: request.ownerId,
    isPublic: false,
    passwordHash: null,
    expiresAt: endOfNew(await entryRulesOf(app, request.ownerId, trx), null),
    description: sender === null || seal !== null ? null : `${request.title}, from ${sender}`.slice(0, 200),
    source: 'WEB',
    maxViews: null,
    seal,
  };
  const image = only(await insertPrepared(ctx, trx, [{ file, fields }]));
  await also(trx, image);
  const name = image.originalName ?? `${image.uniqueId}.${image.type}`;
  const row = { requestId: request.id, imageId: image.id, name, size, sender, receivedAt: at };
  if (!(await insertRequestFile(trx, { ...row, receiptHash: hashSecret(receipt) }))) throw new CameBefore();
  await collect(
    app,
    trx,
    after,
    image.id,
    sender === null || seal !== null ? null : `${safePart(sender)}/${name}`,
  );
  await announce(app, trx, after, image);
  return { after, name, size, fileId: image.uniqueId };
}

/** Tells the webhook of the owner of each file at once, or of several together, and the owner as the request says. */
async function announce(app: Services, trx: Queryable, request: UploadRequest, image: Image): Promise<void> {
  const { id, ownerId, notify } = request;
  const happening = { kind: 'request', id, ownerId, times: 1, gone: null } as const;
  const happenings: Happening[] = notify === 'none' ? [] : [{ ...happening, by: 'mail', mode: notify }];
  if (PUSH_FORMATS.has((await webhookOf(trx, ownerId)).format))
    happenings.push({ ...happening, by: 'webhook', mode: 'each' });
  else await emit(app, trx, ownerId, 'request.received', receivedItem(image, requestUrl(app, request)));
  if (happenings.length > 0) await planTelling(app, trx, happenings);
}

const safePart = (text: string): string => text.replaceAll(/[/\\]/g, '_').replace(/^\.+$/, '_');

/** Puts a file into the collection of the request, if that has room; otherwise it is in the library only. */
async function collect(
  app: Services,
  trx: Queryable,
  { collectionId }: UploadRequest,
  imageId: number,
  path: string | null,
): Promise<void> {
  // Locked, so that several guests at once do not exceed the limit.
  if (collectionId === null || (await lockCollectionById(app.db, trx, collectionId)) === null) return;
  if ((await sizeOfCollection(trx, collectionId)) >= MAX_FILES) return;
  await addItems(app.db, trx, collectionId, [{ imageId, path }]);
}

/** Why there was no room: nothing is left or the request has ended (404), or the file is too large for the rest (413). */
async function refuseFull(trx: Queryable, uniqueId: string): Promise<never> {
  const request = await requestByKey(trx, lookupId(uniqueId));
  if (request === null || !isTaking(request)) fail('NOT_FOUND');
  return refuseLarger(leftOf(request).bytes ?? 0);
}

/** 413 for a file that is larger than what is left. */
export const refuseLarger = (left: number): never =>
  fail(
    'TOO_LARGE',
    localizable('The file is larger than the {size} that are left here', { size: readableSize(left) }),
  );
