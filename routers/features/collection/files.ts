import { z } from 'zod';
import {
  type CollectionEntry,
  type CollectionItem,
  entriesOf,
  itemsAmong,
  sizeOfCollection,
} from '../../../db/content/collection/collection-item.js';
import { isUnavailable, isUsedUp } from '../../../db/content/life.js';
import { pageNumber, recordsOf } from '../../base/paging.js';
import { inParts } from '../../base/parts.js';
import { isOpen } from '../../core/access.js';
import { userSummary } from '../../core/accounts/user-summary.js';
import type { Context } from '../../core/context.js';
import { buildAnswer } from '../../core/large-answer.js';
import { may } from '../../core/policies.js';
import { imageRecord, toImageRecord } from '../image/public.js';
import type { Entered } from './enter.js';

/** An image in a list of several. The uploader is null if the caller may not open the image. */
export const listedImage = imageRecord.extend({ uploader: userSummary.nullable() });
export type ListedImage = z.output<typeof listedImage>;

/** A file of a collection, and whether the caller may open it. */
export interface SeenItem<T = CollectionItem> {
  readonly item: T;
  readonly access: boolean;
}

/** What decides who sees a file. */
export type SeenEntry = SeenItem<CollectionEntry>;

/** Where a file is in its collection: where its owner put it, or under its own name. */
export const pathOf = ({ path, image }: CollectionItem): string =>
  path ?? image.originalName ?? `${image.uniqueId}.${image.type}`;

/** Whether a file is the caller's own, or the caller a moderator. */
export const isOwn = ({ image }: CollectionEntry, { sees }: Pick<Entered, 'sees'>): boolean =>
  sees === 'all' || sees === image.ownerId;

/**
 * What a caller may see of a file: one's own in any case. A share link, a membership, and the pack that a file belongs to
 * open private files as well; the password of a file keeps it closed, and expired and used-up files are hidden.
 */
export function seen<T extends CollectionEntry>(
  item: T,
  { way, sees }: Pick<Entered, 'way' | 'sees'>,
): SeenItem<T> | null {
  const { image, address } = item;
  if (isOwn(item, { sees })) return { item, access: true };
  if (isUnavailable(image) || isUsedUp(image.views, image.maxViews)) return null;
  if (address !== null || way !== 'open') return { item, access: image.passwordHash === null };
  return image.isPublic ? { item, access: isOpen(image) } : null;
}

/** A collection and how the caller came in. */
type Opened = Pick<Entered, 'collection' | 'way' | 'sees'>;

/** The files of a collection that the caller may see, as far as that and the whole depend on them. */
export async function seenEntries(ctx: Context, entered: Opened): Promise<SeenEntry[]> {
  const entries = await entriesOf(ctx.app.db.read, entered.collection.id);
  return entries.flatMap((entry) => seen(entry, entered) ?? []);
}

/** Builds something of each of these files, as far as the caller still sees it, in parts with turns for others. */
export const ofEach = <R>(
  { app }: Context,
  entered: Opened,
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
/** Which part; null or undefined for all of it. */
export type Part = z.output<typeof partInput>;

/** Those of a list that are in a part of it; all without one. */
export const partOf = <T>(all: readonly T[], part: Part): readonly T[] =>
  part == null ? all : all.slice(part.page * part.size, (part.page + 1) * part.size);

/** A file as it is listed for a caller. */
export async function listImage(ctx: Context, { item, access }: SeenItem): Promise<ListedImage> {
  const counted = await may(ctx, 'seeCounts', 'image', item.image);
  const record = await toImageRecord(ctx.app, item.image, { access, counted });
  return access ? record : { ...record, uploader: null };
}

/** Memory that one file takes in a response: its row, its record, and both as JSON. */
const FILE_BYTES = 4 * 1024;

/**
 * Builds an answer with the files of a collection, or a part of them, of those that the caller may see; large ones are
 * limited by `buildAnswer`.
 */
export async function answerOf<T>(
  ctx: Context,
  entered: Opened,
  part: Part,
  build: (entries: readonly SeenEntry[]) => Promise<T>,
): Promise<T> {
  const size = part?.size ?? (await sizeOfCollection(ctx.app.db.read, entered.collection.id));
  return buildAnswer(ctx, size * FILE_BYTES, async () => build(await seenEntries(ctx, entered)));
}
