import type { z } from 'zod';
import type { Collection } from '../../../db/content/collection/collection.js';
import { picturesIn } from '../../../db/content/collection/collection-item.js';
import { offeredTo } from '../../../db/content/collection/collection-member.js';
import type { ListedCollection } from '../../../db/content/collection/listed-collection.js';
import { itemKey } from '../../../db/content/kinds.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { summaryOf } from '../../core/accounts/user-summary.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { sealShown } from '../../core/items/seal.js';
import { showsLess } from '../../core/sharing/enter.js';
import { type Entered, isOnlyAsked } from './enter.js';
import {
  answerOf,
  listImage,
  ofEach,
  type Part,
  partOf,
  pathOf,
  type SeenEntry,
  type SeenItem,
} from './files.js';
import { type Joined, seesOf } from './joined.js';
import type {
  CollectionFile,
  CollectionRecord,
  listedCollection,
  OpenedCollection,
  picturedCollection,
} from './record.js';

/** The page of a collection. */
export const collectionUrl = (app: Services, { uniqueId }: Pick<Collection, 'uniqueId'>): string =>
  `${app.settings.origin}/web/collection/${uniqueId}`;

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

/** The address of something below those of a collection. */
export const addressOf = (app: Services, { base, ticket }: Addresses, rest: string): string =>
  `${app.settings.baseUrl}${base}${rest}${ticket === null ? '' : `?ticket=${ticket}`}`;

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
  ...sealShown(collection.seal),
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

/** So many pictures are on a tile. */
const MAX_PICTURES = 4;

/** A collection as its owner's tiles show it. */
export async function toPictured(
  ctx: Context,
  collection: ListedCollection,
): Promise<z.output<typeof picturedCollection>> {
  const found = await picturesIn(ctx.app.db.read, collection, MAX_PICTURES);
  const isCovered = found[0]?.image.id === collection.coverImageId;
  const shown = isCovered || found.length < MAX_PICTURES ? found.slice(0, 1) : found;
  return {
    ...(await toListed(ctx.app, collection)),
    pictures: await Promise.all(shown.map((item) => listImage(ctx, { item, access: true }))),
  };
}

/** The tags of a collection, for its owner. */
export const tagsOf = async (app: Services, { id }: Pick<Collection, 'id'>): Promise<string[]> => [
  ...((await app.load.tags(itemKey('collection', id))) ?? []),
];

const ownOf = async (app: Services, collection: Collection) => ({
  tags: await tagsOf(app, collection),
  isPublic: collection.isPublic,
  requiresPassword: collection.passwordHash !== null,
  favourite: collection.favourite,
  notify: collection.notify,
  maxViews: collection.maxViews,
  views: collection.views,
  revision: collection.revision,
  url: collectionUrl(app, collection),
});

/**
 * The record for the owner or a member, with a part of the files if one is given; large ones are limited by
 * `buildAnswer`.
 */
export function toCollectionRecord(
  ctx: AccountContext,
  collection: Collection & Partial<Joined>,
  part: Part = null,
): Promise<CollectionRecord> {
  const entered = { collection, way: 'privileged', by: null, sees: seesOf(ctx.account) } as const;
  return answerOf(ctx, entered, part, async (entries) => ({
    ...commonOf(collection),
    ...(await ownOf(ctx.app, collection)),
    quarantine: collection.quarantine,
    role: collection.memberRole ?? 'owner',
    offeredTo: collection.memberRole == null ? await offeredName(ctx.app, collection) : null,
    ...(await filesOf(ctx, entered, entries, part, ownAddresses(collection, null))),
  }));
}

/** So many of the first files stand for all of them. */
const MAX_LEADING = 12;

/** What those get who opened a collection; without its files for those who only ask (`isOnlyAsked`). */
export function toOpened(
  ctx: Context,
  entered: Entered,
  at: Addresses,
  { head, part }: { readonly head: boolean; readonly part?: Part },
): Promise<OpenedCollection> {
  const { collection } = entered;
  const hides = isOnlyAsked(entered, head);
  return answerOf(ctx, entered, part, async (all) => {
    const entries = hides ? [] : all;
    return {
      ...commonOf(collection),
      ...(await filesOf(ctx, entered, entries, part, at)),
      renditionsOnly: showsLess(entered.by),
      zipUrl:
        !showsLess(entered.by) && entries.some(({ access }) => access)
          ? addressOf(ctx.app, at, '/zip')
          : null,
      ...(part == null
        ? {}
        : {
            leading: await leadingOf(ctx, entered, entries),
            ticket: at.ticket,
            quarantine: collection.quarantine,
            role: await partOfCaller(ctx, collection),
          }),
    };
  });
}

async function offeredName({ db, load }: Services, { id }: Collection): Promise<string | null> {
  const userId = await offeredTo(db.read, id);
  return userId === null ? null : ((await load.user(userId))?.username ?? null);
}

async function partOfCaller(ctx: Context, { ownerId, memberRole = null }: Collection & Partial<Joined>) {
  return (await ctx.caller())?.id === ownerId ? 'owner' : memberRole;
}

/** The cover and the first files. */
function leadingOf(ctx: Context, entered: Entered, entries: readonly SeenEntry[]) {
  const cover = entries.filter(({ item }) => item.image.id === entered.collection.coverImageId);
  const leading = new Set([...cover, ...entries.slice(0, MAX_LEADING)]);
  return ofEach(ctx, entered, [...leading], (item) => listImage(ctx, item));
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
