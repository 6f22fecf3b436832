import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { User } from '../../../db/account/account.js';
import { lockCollectionById } from '../../../db/content/collection/collection.js';
import { sizeOfCollection } from '../../../db/content/collection/collection-item.js';
import { addItems } from '../../../db/content/collection/place-items.js';
import { lookupId, only } from '../../../db/content/content.js';
import { type Image, imageById } from '../../../db/content/file/image.js';
import { fileByReceipt, insertRequestFile } from '../../../db/content/upload/request-file.js';
import { requestByKey, takeQuota, type UploadRequest } from '../../../db/content/upload/upload-request.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { readableSize } from '../../base/embed.js';
import { DomainError, fail, found } from '../../base/errors.js';
import { languageNamed } from '../../base/language/languages.js';
import { localizable } from '../../base/language/localizable.js';
import { wallTopic } from '../../base/ports/hub.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { generateId, insertUnderId, uniqueIdInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { endOfNew } from '../../core/items/lifetime.js';
import { sealInput, sealOf } from '../../core/items/seal.js';
import { quotaOf } from '../../core/quotas/spend.js';
import { hashSecret } from '../../core/secrets.js';
import { planTelling } from '../../core/telling/due.js';
import { requireEntry } from '../../core/trpc.js';
import { emit } from '../../core/webhook/emit.js';
import { receivedItem } from '../../core/webhook/events.js';
import { MAX_FILES } from '../collection/public.js';
import {
  type Allowance,
  insertPrepared,
  keepPrepared,
  metadataPolicyOf,
  type PreparedFile,
  prepareFile,
  type StagedUpload,
  stagedUploadInput,
} from '../image/public.js';
import { receiptInput, senderInput, ticketInput } from './fields.js';
import { isLetIn, isTaking, leftOf, openRequest, requireLetIn, requireSolved } from './find.js';
import { type receipt, remainingOf, requestUrl } from './record.js';
import { isOfTypes } from './types.js';

/** Maximum bytes of a file before its sender has shown the password, which a form may contain behind it. */
const LOCKED_BYTES = 8 * 1024 * 1024;

/** A file that a guest sends to a request. */
export const receiveInput = z.object({
  uniqueId: uniqueIdInput,
  file: stagedUploadInput,
  name: senderInput,
  password: shownPasswordInput,
  ticket: ticketInput,
  ...sealInput,
  receipt: receiptInput.nullish(),
});
type ReceiveInput = z.output<typeof receiveInput>;

/**
 * Allows a file of a guest: what the request has left, and no more than its owner may store. Guests have no account, so
 * what they send is counted among the files of all unauthenticated senders.
 */
export async function allowReceiving(
  ctx: Context,
  input: Pick<ReceiveInput, 'uniqueId' | 'password' | 'ticket'>,
): Promise<Allowance> {
  const { app } = ctx;
  await requireEntry(ctx);
  const request = await openRequest(app, input.uniqueId);
  await app.limits.rates.take('guest', ctx.network());
  await requireSolved(ctx, request, input.ticket);
  const isOpen = isLetIn(app, request, input.ticket);
  const shown = !isOpen && Boolean(input.password);
  if (shown) await requireLetIn(ctx, request, input);
  const quota = (await quotaOf(app, request.ownerId, 'FILE')).bytes ?? Number.POSITIVE_INFINITY;
  const left = leftOf(request).bytes ?? Number.POSITIVE_INFINITY;
  const most = Math.min(app.settings.maxUploadBytes, left, quota);
  const locked = !isOpen && !shown;
  return {
    maxBytes: locked ? Math.min(most, LOCKED_BYTES) : most,
    proven: false,
    counted: false,
    refuse: (cause) =>
      locked && most > LOCKED_BYTES
        ? fail('PASSWORD_REQUIRED', { cause })
        : fail('TOO_LARGE', {
            message: localizable('A file can be at most {size} here', { size: readableSize(most) }),
            cause,
          }),
  };
}

/** Acts as the owner of a request, for whom a guest's file is stored. */
function asOwner(ctx: Context, owner: User): AccountContext {
  const account = {
    id: owner.id,
    username: owner.username,
    role: owner.role,
    active: owner.status === 'ACTIVE',
    language: languageNamed(owner.language),
    hasWebhook: true,
    pause: null,
    sessionId: null,
    key: null,
  };
  return { ...ctx, account, caller: async () => account };
}

/** The name of a guest, null without one; 400 where the request asks for it. */
export function senderOf(request: UploadRequest, name: string | null | undefined): string | null {
  if (request.askName && !name) fail('INVALID', 'name: say who you are');
  return name || null;
}

/** Stores a file of a guest, at once. */
export async function receiveFile(ctx: Context, input: ReceiveInput): Promise<z.output<typeof receipt>> {
  const { app } = ctx;
  const request = await openRequest(app, input.uniqueId);
  await requireLetIn(ctx, request, input);
  await requireSolved(ctx, request, input.ticket);
  const sender = senderOf(request, input.name);
  const owner = found(await app.load.user(request.ownerId));
  const seal = sealOfArrival(request, input);
  const shown = input.receipt ?? newReceipt();
  const arrival = { request, sender, file: input.file, seal, receipt: shown };
  const kept = await storeArrival(asOwner(ctx, owner), arrival);
  return { received: [{ name: kept.name, size: kept.size, receipt: shown }], ...remainingOf(kept.after) };
}

/** The seal of what a guest sends: all that answers a sealed request is sealed, nothing that answers another one. */
export function sealOfArrival(
  { recipient }: UploadRequest,
  { sealed, sealedName }: Pick<ReceiveInput, 'sealed' | 'sealedName'>,
): string | null {
  if (recipient === null && sealed === true)
    fail('INVALID', 'sealed: this link takes files that are not sealed');
  return sealOf({ sealed: recipient !== null, sealedName });
}

/** A receipt for senders who bring none. */
export const newReceipt = (): string => randomBytes(16).toString('base64url');

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
  await emit(app, trx, request.ownerId, 'request.received', receivedItem(image, requestUrl(app, request)));
  const { id, ownerId, notify } = after;
  if (notify !== 'none')
    await planTelling(app, trx, [{ kind: 'request', id, ownerId, by: 'mail', mode: notify, times: 1 }]);
  return { after, name, size, fileId: image.uniqueId };
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
