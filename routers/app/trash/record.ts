import { z } from 'zod';
import type { TrashedCollection } from '../../../db/content/collection/collection-trash.js';
import type { Trashed } from '../../../db/content/trash-list.js';
import { DAY_MS } from '../../../db/engine/days.js';
import { OWNED_KINDS } from '../../base/kinds.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import type { Services } from '../../core/context.js';
import { sealShown } from '../../core/items/seal.js';
import { collectionUrl, tagsOf } from '../../features/collection/to-record.js';
import { ownItemRecord, toOwnItemRecord } from '../library/own-item.js';

/** Something in the trash, and when it is deleted for good. */
export const trashedRecord = ownItemRecord.omit({ snippet: true }).extend({
  kind: z.enum(OWNED_KINDS),
  /** The extension of a file, the language of a paste, as what a collection was made; null for links. */
  type: z.string().nullable(),
  /** Bytes; of a collection those of the files that were deleted with it. Null for links. */
  size: z.int().nullable(),
  trashedAt: z.iso.datetime(),
  purgedAt: z.iso.datetime(),
});
type TrashedRecord = z.output<typeof trashedRecord>;

/** Builds the record, for the owner. */
export async function toTrashedRecord(
  app: Services,
  { at, item, collection }: Trashed,
): Promise<TrashedRecord> {
  return {
    ...(item === null ? await ofCollection(app, collection) : await toOwnItemRecord(app, item)),
    trashedAt: iso(at),
    purgedAt: iso(at + app.settings.trashDays * DAY_MS),
  };
}

async function ofCollection(
  app: Services,
  collection: TrashedCollection,
): Promise<Omit<TrashedRecord, 'trashedAt' | 'purgedAt'>> {
  const { baseUrl } = app.settings;
  const { uniqueId } = collection;
  const page = collectionUrl(app, collection);
  return {
    kind: 'collection',
    uniqueId,
    title: collection.title,
    description: collection.description,
    type: collection.face,
    size: collection.bytes,
    createdAt: iso(collection.createdAt),
    expiresAt: isoOrNull(collection.expiresAt),
    isPublic: collection.isPublic,
    requiresPassword: collection.passwordHash !== null,
    tags: await tagsOf(app, collection),
    favourite: collection.favourite,
    urlSet: {
      ...{ webUrl: page, portalUrl: page, shortUrl: page, customUrl: page },
      rawUrl: `${baseUrl}/collection/open/${uniqueId}`,
      deleteUrl: `${baseUrl}/collection/${uniqueId}`,
      directUrl: null,
      posterUrl: null,
      userPreference: null,
    },
    thumbhash: null,
    ...sealShown(collection.seal),
    views: collection.views,
  };
}
