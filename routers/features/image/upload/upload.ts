import { z } from 'zod';
import { only } from '../../../../db/content/content.js';
import type { Image } from '../../../../db/content/file/image.js';
import { reservationById } from '../../../../db/content/upload/reservation.js';
import type { Queryable } from '../../../../db/engine/queryable.js';
import { fail } from '../../../base/errors.js';
import type { MetadataPolicy } from '../../../base/ports/media/media.js';
import { wishedEndInput } from '../../../base/text/dates.js';
import { accountOf } from '../../../core/accounts/people.js';
import type { AccountContext, Services } from '../../../core/context.js';
import { entryRulesOf } from '../../../core/entry/entry-rules.js';
import { fileIdInput, insertUnderId } from '../../../core/items/ids.js';
import { hashItemPassword, itemPasswordInput } from '../../../core/items/item-password.js';
import { endOfNew } from '../../../core/items/lifetime.js';
import { sealInput, sealOf } from '../../../core/items/seal.js';
import { tagsInput } from '../../../core/items/tags.js';
import { notifyInput } from '../../../core/telling/input.js';
import { type PreparedFile, prepareFile } from './prepare.js';
import { stagedUploadInput } from './staged.js';
import { type ItemFields, insertPrepared, keepPrepared, storeTogether } from './store.js';

const SOURCES = ['UNKNOWN', 'API', 'PORTAL', 'WEB', 'TELEGRAM', 'DISCORD'] as const;

/** The largest number of views of an item. */
export const maxViewsInput = z.int().min(1).max(1_000_000_000).nullish();

/** By which way something came in; an unknown one counts as `UNKNOWN`. */
export const sourceInput = z
  .string()
  .nullish()
  .transform((value) => SOURCES.find((source) => source === value?.toUpperCase()) ?? 'UNKNOWN');

/** The fields of an upload besides its bytes and its id. */
export const itemFields = {
  ...sealInput,
  private: z.boolean().nullish(),
  password: itemPasswordInput,
  desc: z.string().max(200, 'a description can have at most 200 characters').nullish(),
  source: sourceInput,
  expiresAt: wishedEndInput,
  maxViews: maxViewsInput,
  tags: tagsInput.optional(),
  notify: notifyInput,
};
const itemFieldsInput = z.object(itemFields);

/** A staged file and the fields of its item. */
export const uploadInput = z.object({ file: stagedUploadInput, uniqueId: fileIdInput, ...itemFields });
type UploadInput = z.output<typeof uploadInput>;

/**
 * Stores a staged file as an item of the caller, durably before it returns. Refuses with 400 an empty file,
 * media by name but not by content, and an id in use; then nothing is kept.
 */
export async function uploadImage(ctx: AccountContext, input: UploadInput): Promise<Image> {
  const { app, account } = ctx;
  if (input.uniqueId !== null && (await app.load.image(input.uniqueId)) !== null) fail('ID_TAKEN');
  const fields = await fieldsOf(app, account.id, input);
  const policy = await metadataPolicyOf(app, account.id);
  const file = await prepareFile(app, input.file, {
    ...{ ownerId: account.id, policy, waitForPoster: true, sealed: fields.seal !== null },
  });
  try {
    return await storePrepared(ctx, file, input.uniqueId, fields);
  } finally {
    await file.discard();
  }
}

/**
 * Stores one prepared file under the custom id, or under a generated one, with whatever `also` adds in the same
 * transaction. A custom id may be reserved by an upload URL. Those without either share statements with others that
 * come at the same time.
 */
export async function storePrepared(
  ctx: AccountContext,
  file: PreparedFile,
  wished: string | null,
  fields: Omit<ItemFields, 'uniqueId'>,
  also?: (trx: Queryable, image: Image) => Promise<void>,
): Promise<Image> {
  const { app } = ctx;
  const image = await insertUnderId(app.db, wished, (uniqueId) =>
    wished === null && also === undefined
      ? storeTogether(ctx, file, { ...fields, uniqueId })
      : keepPrepared(ctx, [file], async (trx) => {
          if (wished !== null && (await reservationById(trx, wished.toUpperCase())) !== null)
            fail('ID_TAKEN');
          const stored = only(await insertPrepared(ctx, trx, [{ file, fields: { ...fields, uniqueId } }]));
          await also?.(trx, stored);
          return stored;
        }),
  );
  app.jobs.kick();
  return image;
}

/** Which embedded metadata is removed from the uploads of this account. */
export const metadataPolicyOf = async (app: Services, accountId: number): Promise<MetadataPolicy> =>
  (await accountOf(app, accountId)).metadataPolicy as MetadataPolicy;

/** The columns for the fields of an upload; 400 for what would be said of a sealed file in the clear. */
export async function fieldsOf(
  app: Services,
  ownerId: number,
  input: z.output<typeof itemFieldsInput>,
): Promise<Omit<ItemFields, 'uniqueId'>> {
  const description = input.desc?.trim() ?? '';
  const seal = sealOf(input);
  return {
    ownerId,
    isPublic: input.private !== true,
    passwordHash: await hashItemPassword(app, ownerId, input.password),
    expiresAt: endOfNew(await entryRulesOf(app, ownerId), input.expiresAt),
    description: description === '' ? null : description,
    source: input.source,
    maxViews: input.maxViews ?? null,
    seal,
    notify: input.notify,
    ...(input.tags === undefined ? {} : { tags: input.tags }),
  };
}
