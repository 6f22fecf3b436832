import type { z } from 'zod';
import { collectionByKey } from '../../../db/content/collection/collection.js';
import { collectionAnywhere } from '../../../db/content/collection/collection-trash.js';
import { lookupId } from '../../../db/content/content.js';
import {
  countRequests,
  deleteRequest,
  insertRequest,
  type RequestFields,
  type UploadRequest,
  updateRequest,
} from '../../../db/content/upload/upload-request.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { wallTopic } from '../../base/ports/hub.js';
import { lockAccount } from '../../core/accounts/people.js';
import type { AccountContext } from '../../core/context.js';
import { insertUnderId } from '../../core/items/ids.js';
import { hashItemPassword } from '../../core/items/item-password.js';
import { requireRecipient } from '../../core/items/seal.js';
import type { changeRequestInput, createRequestInput, RequestInput } from './fields.js';
import { ownRequest } from './find.js';

/** The most requests that one account can have. */
const MAX_REQUESTS = 1_000;

/** The columns that the given fields set, but for the collection. */
async function columnsOf(ctx: AccountContext, input: RequestInput): Promise<Partial<RequestFields>> {
  const { app, account } = ctx;
  if (input.recipient) await requireRecipient(input.recipient);
  const flags = ['askName', 'blind', 'closed'] as const;
  return {
    ...(input.title === undefined ? {} : { title: input.title }),
    ...(input.note === undefined ? {} : { note: input.note || null }),
    ...(input.maxFiles === undefined ? {} : { maxFiles: input.maxFiles }),
    ...(input.maxBytes === undefined ? {} : { maxBytes: input.maxBytes }),
    ...(input.types === undefined ? {} : { types: input.types ?? [] }),
    ...(input.expiresAt === undefined ? {} : { expiresAt: input.expiresAt }),
    ...(input.recipient === undefined ? {} : { recipient: input.recipient || null }),
    ...(input.wall === undefined ? {} : { wall: input.wall }),
    ...(input.message === undefined ? {} : { message: input.message || null }),
    ...(input.ends === undefined ? {} : { endsAt: input.ends }),
    ...(input.notify == null ? {} : { notify: input.notify }),
    ...(input.password === undefined
      ? {}
      : { passwordHash: await hashItemPassword(app, account.id, input.password) }),
    ...Object.fromEntries(
      flags.flatMap((flag) => (typeof input[flag] === 'boolean' ? [[flag, input[flag]]] : [])),
    ),
  };
}

/** The column of the given collection, read in the transaction that refers to it; the present one may be in the trash. */
async function collectionOf(
  { account }: AccountContext,
  trx: Queryable,
  { collection: uniqueId }: RequestInput,
  present: number | null,
): Promise<Partial<RequestFields>> {
  if (uniqueId === undefined) return {};
  if (uniqueId === null || uniqueId === '') return { collectionId: null };
  const kept = present === null ? null : await collectionAnywhere(trx, present);
  if (kept !== null && lookupId(kept.uniqueId) === lookupId(uniqueId)) return {};
  const collection = await collectionByKey(trx, lookupId(uniqueId));
  if (collection === null || collection.ownerId !== account.id || collection.face === 'pack')
    fail('INVALID', localizable('collection: you have no collection {id}', { id: uniqueId }));
  return { collectionId: collection.id };
}

/** Refuses what cannot be: types of files that nobody can look at, and files in the clear for a sealed collection. */
async function requireFitting(
  trx: Queryable,
  { recipient, types, collectionId }: Pick<RequestFields, 'recipient' | 'types' | 'collectionId'>,
): Promise<void> {
  if (recipient !== null && types.length > 0)
    fail('INVALID', 'types: nobody can see of what type a sealed file is');
  const collection = collectionId === null ? null : await collectionAnywhere(trx, collectionId);
  if (recipient === null && collection !== null && collection.seal !== null)
    fail('INVALID', 'collection: a sealed collection takes sealed files only');
}

/** Makes a request of the caller. */
export async function createRequest(
  ctx: AccountContext,
  input: z.output<typeof createRequestInput>,
): Promise<UploadRequest> {
  const { app, account } = ctx;
  await app.limits.rates.take('create', String(account.id));
  const columns = await columnsOf(ctx, input);
  return insertUnderId(app.db, null, (uniqueId) =>
    app.db.write(async (trx) => {
      await lockAccount(app, trx, account.id);
      if ((await countRequests(trx, account.id)) >= MAX_REQUESTS)
        fail(
          'INVALID',
          localizable('You can have at most {max} request links; delete one first', { max: MAX_REQUESTS }),
        );
      const made = {
        ...{ note: null, maxFiles: null, maxBytes: null, types: [], expiresAt: null, passwordHash: null },
        ...{
          askName: false,
          notify: 'each' as const,
          blind: true,
          closed: false,
          collectionId: null,
          recipient: null,
        },
        ...{ wall: 'none' as const, message: null, endsAt: null },
        ...columns,
        ...(await collectionOf(ctx, trx, input, null)),
        title: input.title,
        uniqueId,
        ownerId: account.id,
        createdAt: Date.now(),
      };
      await requireFitting(trx, made);
      return insertRequest(trx, made);
    }),
  );
}

/** Changes the given fields of a request of the caller. */
export async function changeRequest(
  ctx: AccountContext,
  { uniqueId, ...input }: z.output<typeof changeRequestInput>,
): Promise<UploadRequest> {
  const { id, collectionId } = await ownRequest(ctx, uniqueId);
  const columns = await columnsOf(ctx, input);
  const changed = found(
    await ctx.app.db.write(async (trx) => {
      const all = { ...columns, ...(await collectionOf(ctx, trx, input, collectionId)) };
      const changed = await updateRequest(trx, id, all, Date.now());
      if (changed !== null) await requireFitting(trx, changed);
      return changed;
    }),
  );
  ctx.app.hub.publish(wallTopic(id), {});
  return changed;
}

/** Deletes a request of the caller; what came in by it stays. */
export async function removeRequest(ctx: AccountContext, uniqueId: string): Promise<UploadRequest> {
  const request = await ownRequest(ctx, uniqueId);
  if (!(await ctx.app.db.write((trx) => deleteRequest(trx, request.id)))) fail('NOT_FOUND');
  ctx.app.hub.publish(wallTopic(request.id), {});
  return request;
}
