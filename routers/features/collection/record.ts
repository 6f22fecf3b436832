import { z } from 'zod';
import type { Collection } from '../../../db/content/collection.js';
import {
  type CollectionEntry,
  type CollectionItem,
  entriesOf,
  itemsAmong,
  sizeOfCollection,
} from '../../../db/content/collection-item.js';
import { itemKey } from '../../../db/content/kinds.js';
import { isUnavailable, isUsedUp } from '../../../db/content/life.js';
import type { ListedCollection } from '../../../db/content/listed-collection.js';
import { pageNumber, recordsOf } from '../../base/paging.js';
import { checkedInParts, inParts } from '../../base/parts.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { isOpen, isOwnerOrAdmin } from '../../core/access.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import type { Context, Services } from '../../core/context.js';
import { buildAnswer } from '../../core/large-answer.js';
import { imageRecord, toImageRecord } from '../image/public.js';
import { type Entered, isOnlyAsked } from './enter.js';

/** What every record of a collection has. */
const common = {
  uniqueId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  tags: z.array(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
};

/** A collection in the list of its owner. */
export const listedCollection = z.object({
  ...common,
  /** As what it was made. */
  kind: z.enum(['collection', 'playlist', 'pack']),
  isPublic: z.boolean(),
  requiresPassword: z.boolean(),
  maxViews: z.int().nullable(),
  views: z.int(),
  totalFiles: z.int(),
  totalSize: z.int(),
  /** Its page. */
  url: z.url(),
});

/** An image in a list of several. The uploader is null if the caller may not open the image. */
export const listedImage = imageRecord.extend({ uploader: userSummary.nullable() });
export type ListedImage = z.output<typeof listedImage>;

/** A file in a collection. The uploader, the size and the address are null if the caller may not open the file. */
export const collectionFile = listedImage.extend({
  /** Where it is in the collection. */
  path: z.string(),
  /** The bytes, as this caller may get them: with the secret and the ticket that its opening gave. */
  fileUrl: z.url().nullable(),
});
export type CollectionFile = z.output<typeof collectionFile>;

/** A collection with its files, for its owner. */
export const collectionRecord = checkedInParts(
  listedCollection.extend({
    /** The id of the cover; null if none was chosen. */
    cover: z.string().nullable(),
    owner: userSummary,
    items: z.array(collectionFile),
    /** Why a moderator keeps it from everybody but its owner; null if it is not. */
    quarantine: z.string().nullable(),
  }),
  'items',
);
export type CollectionRecord = z.output<typeof collectionRecord>;

/** A collection as those see it who opened it. */
export const openedCollection = checkedInParts(
  collectionRecord
    .omit({
      quarantine: true,
      isPublic: true,
      requiresPassword: true,
      maxViews: true,
      views: true,
      tags: true,
      url: true,
    })
    .extend({
      /** A zip of all files that the caller may open; null if there are none. */
      zipUrl: z.url().nullable(),
    }),
  'items',
);
export type OpenedCollection = z.output<typeof openedCollection>;

/** A file of a collection, and whether the caller may open it. */
export interface SeenItem<T = CollectionItem> {
  readonly item: T;
  readonly access: boolean;
}

/** What decides who sees a file. */
export type SeenEntry = SeenItem<CollectionEntry>;

/** The page of a collection. */
export const collectionUrl = (app: Services, { uniqueId }: Pick<Collection, 'uniqueId'>): string =>
  `${app.settings.origin}/web/collection/${uniqueId}`;

/** Where a file is in its collection: where its owner put it, or under its own name. */
export const pathOf = ({ path, image }: CollectionItem): string =>
  path ?? image.originalName ?? `${image.uniqueId}.${image.type}`;

/**
 * What a caller may see of a file. A share link, and the pack that a file belongs to, open private files as well; the
 * password of a file keeps it closed, and expired and used-up files are hidden.
 */
export function seen<T extends CollectionEntry>(item: T, { way }: Pick<Entered, 'way'>): SeenItem<T> | null {
  const { image, address } = item;
  if (way === 'privileged') return { item, access: true };
  if (isUnavailable(image) || isUsedUp(image.views, image.maxViews)) return null;
  if (address !== null || way === 'share') return { item, access: image.passwordHash === null };
  return image.isPublic ? { item, access: isOpen(image) } : null;
}

/** The files of a collection that the caller may see, as far as that and the whole depend on them. */
export async function seenEntries(
  ctx: Context,
  entered: Pick<Entered, 'collection' | 'way'>,
): Promise<SeenEntry[]> {
  const entries = await entriesOf(ctx.app.db.read, entered.collection.id);
  return entries.flatMap((entry) => seen(entry, entered) ?? []);
}

/** Builds something of each of these files, as far as the caller still sees it, in parts with turns for others. */
export const ofEach = <R>(
  { app }: Context,
  entered: Pick<Entered, 'collection' | 'way'>,
  entries: readonly SeenEntry[],
  build: (item: SeenItem) => Promise<R>,
): Promise<R[]> =>
  inParts(entries, async (part) => {
    const ids = part.map(({ item }) => item.image.id);
    const items = await itemsAmong(app.db, entered.collection.id, ids);
    return recordsOf(
      items.flatMap((item) => seen(item, entered) ?? []),
      build,
    );
  });

/** A part of a long list, for a page. */
export const partInput = z.object({ page: pageNumber, size: z.int().min(1).max(100) }).nullish();
type Part = z.output<typeof partInput>;

/** Those of a list that are in a part of it; all without one. */
export const partOf = <T>(all: readonly T[], part: Part): readonly T[] =>
  part == null ? all : all.slice(part.page * part.size, (part.page + 1) * part.size);

/** Memory that one file takes in a response: its row, its record, and both as JSON. */
const FILE_BYTES = 4 * 1024;

/** Where the files of a collection are found by this caller. */
export interface Addresses {
  /** The path below the API that the ids of files and `zip` follow. */
  readonly base: string;
  readonly ticket: string | null;
}

/** The addresses for those who open a collection by its own id. */
export const ownAddresses = ({ uniqueId }: Collection, ticket: string | null): Addresses => ({
  base: `/collection/open/${uniqueId}`,
  ticket,
});

const addressOf = (app: Services, { base, ticket }: Addresses, rest: string): string =>
  `${app.settings.baseUrl}${base}${rest}${ticket === null ? '' : `?ticket=${ticket}`}`;

/** A file as it is listed for a caller. */
export async function listImage(ctx: Context, { item, access }: SeenItem): Promise<ListedImage> {
  const counted = await isOwnerOrAdmin(ctx, item.image);
  const record = await toImageRecord(ctx.app, item.image, { access, counted });
  return access ? record : { ...record, uploader: null };
}

async function fileOf(ctx: Context, seen: SeenItem, at: Addresses): Promise<CollectionFile> {
  const { item, access } = seen;
  return {
    ...(await listImage(ctx, seen)),
    path: access ? pathOf(item) : item.image.uniqueId,
    fileUrl: access ? addressOf(ctx.app, at, `/files/${item.image.uniqueId}`) : null,
  };
}

const commonOf = (collection: Collection) => ({
  uniqueId: collection.uniqueId,
  kind: collection.face,
  title: collection.title,
  description: collection.description,
  createdAt: iso(collection.createdAt),
  updatedAt: isoOrNull(collection.updatedAt),
  expiresAt: isoOrNull(collection.expiresAt),
});

const totalOf = (items: readonly SeenEntry[]): number =>
  items.reduce((sum, { item, access }) => sum + (access ? item.image.size : 0), 0);

/** A collection as its list shows it. */
export const toListed = async (
  app: Services,
  collection: ListedCollection,
): Promise<z.output<typeof listedCollection>> => ({
  ...commonOf(collection),
  ...(await ownOf(app, collection)),
  totalFiles: collection.size,
  totalSize: collection.bytes,
});

/** The tags of a collection, for its owner. */
export const tagsOf = async (app: Services, { id }: Pick<Collection, 'id'>): Promise<string[]> => [
  ...((await app.load.tags(itemKey('collection', id))) ?? []),
];

const ownOf = async (app: Services, collection: Collection) => ({
  tags: await tagsOf(app, collection),
  isPublic: collection.isPublic,
  requiresPassword: collection.passwordHash !== null,
  maxViews: collection.maxViews,
  views: collection.views,
  url: collectionUrl(app, collection),
});

/** The record for the owner, with a part of the files if one is given; large ones are limited by `buildAnswer`. */
export function toCollectionRecord(
  ctx: Context,
  collection: Collection,
  part: Part = null,
): Promise<CollectionRecord> {
  const entered = { collection, way: 'privileged', link: null } as const;
  return building(ctx, entered, part, async (entries) => ({
    ...commonOf(collection),
    ...(await ownOf(ctx.app, collection)),
    quarantine: collection.quarantine,
    ...(await filesOf(ctx, entered, entries, part, ownAddresses(collection, null))),
  }));
}

/** What those get who opened a collection; without its files for those who only ask (`isOnlyAsked`). */
export function toOpened(
  ctx: Context,
  entered: Entered,
  at: Addresses,
  { head, part }: { readonly head: boolean; readonly part?: Part },
): Promise<OpenedCollection> {
  const { collection } = entered;
  const hides = isOnlyAsked(entered, head);
  return building(ctx, entered, part, async (all) => {
    const entries = hides ? [] : all;
    return {
      ...commonOf(collection),
      ...(await filesOf(ctx, entered, entries, part, at)),
      zipUrl: entries.some(({ access }) => access) ? addressOf(ctx.app, at, '/zip') : null,
    };
  });
}

async function building<T>(
  ctx: Context,
  entered: Entered,
  part: Part,
  build: (entries: readonly SeenEntry[]) => Promise<T>,
): Promise<T> {
  const size = part?.size ?? (await sizeOfCollection(ctx.app.db.read, entered.collection.id));
  return buildAnswer(ctx, size * FILE_BYTES, async () => build(await seenEntries(ctx, entered)));
}

async function filesOf(
  ctx: Context,
  entered: Entered,
  entries: readonly SeenEntry[],
  part: Part,
  at: Addresses,
) {
  const { coverImageId, ownerId } = entered.collection;
  const cover = entries.find(({ item }) => item.image.id === coverImageId);
  return {
    cover: cover?.item.image.uniqueId ?? null,
    owner: await summaryOf(ctx.app, ownerId),
    items: await ofEach(ctx, entered, partOf(entries, part), (item) => fileOf(ctx, item, at)),
    totalFiles: entries.length,
    totalSize: totalOf(entries),
  };
}
