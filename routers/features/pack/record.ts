import { z } from 'zod';
import type { Collection } from '../../../db/content/collection/collection.js';
import {
  type CollectionEntry,
  type CollectionItem,
  entriesOf,
  itemsAmong,
  sizeOfCollection,
} from '../../../db/content/collection/collection-item.js';
import { type ListedCollection, listCollections } from '../../../db/content/collection/listed-collection.js';
import { checkedInParts, inParts } from '../../base/parts.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import type { Context, Services } from '../../core/context.js';
import { sealRecord, sealShown } from '../../core/items/seal.js';
import { buildAnswer } from '../../core/large-answer.js';
import { pathOf } from '../collection/public.js';

/** A file of a pack, under the names that older pages read. */
export const packFile = z.object({
  /** Its address below `/files/`. */
  uniqueId: z.string(),
  fileName: z.string(),
  fileType: z.string(),
  size: z.int(),
  uploadTime: z.iso.datetime(),
  fileUrl: z.url(),
  description: z.string().nullable(),
  expirationTime: z.iso.datetime().nullable(),
  location: z.enum(['LOCAL', 'S3']),
  source: z.string(),
  ...sealRecord,
});

/** A pack with its files. */
export const packRecord = checkedInParts(
  z.object({
    packId: z.string(),
    files: z.array(packFile),
    totalFiles: z.int(),
    totalSize: z.int(),
    uploadTime: z.iso.datetime(),
    description: z.string().nullable(),
  }),
  'files',
);
export type PackRecord = z.output<typeof packRecord>;

/** A pack in a list. */
export const listedPack = packRecord.extend({
  isComplete: z.boolean(),
  isPasswordProtected: z.boolean(),
});

/** A page of packs; pages are counted from 0. */
export const packPage = z.object({
  packs: z.array(listedPack),
  totalElements: z.int(),
  totalPages: z.int(),
  currentPage: z.int(),
  pageSize: z.int(),
});

const pageField = z.int().nullish();
/** Which page of a list of packs; one wording for every wrong value. */
export const packPageInput = z
  .object({ page: pageField, size: pageField })
  .refine(
    ({ page, size }) => (page ?? 0) >= 0 && (page ?? 0) <= 1_000_000 && (size ?? 1) >= 1 && (size ?? 1) <= 50,
    {
      error: 'Invalid page or size parameters',
    },
  );

const DEFAULT_SIZE = 10;
/** Memory that one file takes in a response. */
const FILE_BYTES = 1024;

const fileUrl = ({ settings }: Services, address: string): string =>
  `${settings.origin}/files/${encodeURIComponent(address)}`;

function toFile(app: Services, item: CollectionItem): z.output<typeof packFile> {
  const { image, address, fileType } = item;
  const uniqueId = address ?? image.uniqueId;
  return {
    uniqueId,
    fileName: image.seal === null ? pathOf(item) : uniqueId,
    fileType: fileType ?? image.mimeType,
    size: image.size,
    uploadTime: iso(image.createdAt),
    fileUrl: fileUrl(app, uniqueId),
    description: image.description,
    expirationTime: isoOrNull(image.expiresAt),
    location: image.location,
    source: image.source,
    ...sealShown(image.seal),
  };
}

/** What is shown of a pack. */
type IsShown = (entry: CollectionEntry) => boolean;

async function recordOf(app: Services, pack: Collection, isShown: IsShown = () => true): Promise<PackRecord> {
  const entries = (await entriesOf(app.db.read, pack.id)).filter(isShown);
  const files = await inParts(entries, async (part) => {
    const items = await itemsAmong(
      app.db,
      pack.id,
      part.map(({ image }) => image.id),
    );
    return items.filter(isShown).map((item) => toFile(app, item));
  });
  return {
    packId: pack.uniqueId,
    files,
    totalFiles: entries.length,
    totalSize: entries.reduce((sum, { image }) => sum + image.size, 0),
    uploadTime: iso(pack.createdAt),
    description: pack.description,
  };
}

/** The record of a pack with the files that `isShown`. */
export async function toPackRecord(ctx: Context, pack: Collection, isShown?: IsShown): Promise<PackRecord> {
  const size = await sizeOfCollection(ctx.app.db.read, pack.id);
  return buildAnswer(ctx, size * FILE_BYTES, () => recordOf(ctx.app, pack, isShown));
}

/** How many files a pack has, and their bytes together. */
export async function totalsOf({ app }: Context, { id }: Collection) {
  const entries = await entriesOf(app.db.read, id);
  return {
    totalFiles: entries.length,
    totalSize: entries.reduce((sum, { image }) => sum + image.size, 0),
  };
}

/**
 * A page of packs, newest first. Beyond the end it is the last page that exists, because pages ask again for the one
 * whose last pack they have deleted.
 */
export async function listPacks(
  ctx: Context,
  ownerId: number | null,
  input: z.output<typeof packPageInput>,
): Promise<z.output<typeof packPage>> {
  const pageSize = input.size ?? DEFAULT_SIZE;
  const read = (page: number) =>
    listCollections(ctx.app.db, { ownerId, face: 'pack' }, { limit: pageSize, offset: page * pageSize });
  let page = input.page ?? 0;
  let found = await read(page);
  const last = Math.max(0, Math.ceil(found.total / pageSize) - 1);
  if (page > last) {
    page = last;
    found = await read(page);
  }
  return {
    packs: await toListed(ctx, found.items),
    totalElements: found.total,
    totalPages: Math.ceil(found.total / pageSize),
    currentPage: page,
    pageSize,
  };
}

function toListed(ctx: Context, packs: readonly ListedCollection[]) {
  const files = packs.reduce((sum, { size }) => sum + size, 0);
  return buildAnswer(ctx, files * FILE_BYTES, async () => {
    const listed = [];
    for (const pack of packs)
      listed.push({
        ...(await recordOf(ctx.app, pack)),
        isComplete: true,
        isPasswordProtected: pack.passwordHash !== null,
      });
    return listed;
  });
}
