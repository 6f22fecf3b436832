/** What can be done with an item of any kind; the names of the kinds are in `kinds.ts`. */
import type { Content } from '../../db/content/content.js';
import { imageById } from '../../db/content/image.js';
import { pasteTextById } from '../../db/content/paste.js';
import type { Queryable } from '../../db/engine/queryable.js';
import { type CountedIn, viewsOfItem, visitsOfLink } from '../../db/statistics/visit-days.js';
import { fail, found } from '../base/errors.js';
import { isOwnExtension } from '../base/item-address.js';
import type { Kind } from '../base/kinds.js';
import { isGone } from '../core/access.js';
import type { Context, Services } from '../core/context.js';
import { rawUrl, webUrl } from '../core/items/links.js';
import { holdAnswer } from '../core/large-answer.js';
import { isUsedUp } from '../features/image/content.js';
import { deleteImage, tellImageRemovals } from '../features/image/delete.js';
import { deleteUrl } from '../features/link/delete.js';
import { isOver, type VisitResult, visit } from '../features/link/visit.js';
import { deletePaste } from '../features/paste/delete.js';

/** A followed short link; `prefersText` if a program wants the text of a paste, not its page. */
type Followed = Parameters<typeof visit>[1] & { readonly prefersText?: boolean | null | undefined };

interface Contents {
  readonly files: { readonly name: string; readonly sha256: string }[];
  readonly text: string | null;
}

/** An item, whether it is over for visitors, and where it is counted how often it is opened. */
interface Counted {
  readonly item: Content;
  readonly over: boolean;
  readonly in: CountedIn;
}

interface Actions {
  /** Deletes an item and everything that belongs to it; 404 if it is already gone. */
  remove(app: Services, item: { readonly id: number }): Promise<void>;
  /** Tells the webhook of its owner that it went into the trash; true if there is something to deliver. */
  tellRemoval(app: Services, trx: Queryable, item: Pick<Content, 'id' | 'ownerId'>): Promise<boolean>;
  /** What is in it, for its owner: files by their hash, or a text. Nothing of a paste that can be read once. */
  contents(ctx: Context, id: number): Promise<Contents>;
  /** What people know it by; null if it has no such name, 404 if it is gone. */
  nameOf(app: Services, uniqueId: string): Promise<string | null>;
  /** Refuses an address that ends in an extension (`jpg`) unless it is that of the item. */
  checkExtension(app: Services, uniqueId: string, extension: string): Promise<void>;
  /** Bytes of its long text, all of whose words every change makes findable again; 404 if it is gone. */
  textBytes(app: Services, uniqueId: string): Promise<number>;
  /** The item with this id, even if it is over, and its counts; 404 if there is none. */
  counted(app: Services, uniqueId: string): Promise<Counted>;
  /** Where the short link of a living item leads. */
  follow(ctx: Context, input: Followed): Promise<VisitResult>;
}

const uncounted = (location: string): VisitResult => ({ location, permanent: false, counted: false });
const hasNoEvent = async (): Promise<boolean> => false;
const hasNoText = async (): Promise<number> => 0;
const hasNoExtension = async (): Promise<never> => fail('NOT_FOUND');

/** The definition of each kind in the domain. */
export const ITEM_ACTIONS: Readonly<Record<Kind, Actions>> = {
  image: {
    remove: deleteImage,
    tellRemoval: (app, trx, { id, ownerId }) => tellImageRemovals(app, trx, ownerId, [id]),
    contents: async ({ app }, id) => {
      const { originalName, uniqueId, sha256 } = found(await imageById(app.db.read, id));
      return { files: [{ name: originalName ?? uniqueId, sha256 }], text: null };
    },
    nameOf: async ({ load }, uniqueId) => found(await load.image(uniqueId)).originalName,
    checkExtension: async ({ load }, uniqueId, extension) => {
      if (!isOwnExtension(found(await load.image(uniqueId)).type, extension)) fail('NOT_FOUND');
    },
    textBytes: hasNoText,
    counted: async ({ load }, uniqueId) => {
      const item = found(await load.image(uniqueId));
      return { item, over: isGone(item) || isUsedUp(item), in: viewsOfItem('image', item.id) };
    },
    follow: async ({ app }, { uniqueId }) => uncounted(webUrl(app, 'image', encodeURIComponent(uniqueId))),
  },
  paste: {
    remove: deletePaste,
    tellRemoval: hasNoEvent,
    contents: async (ctx, id) => {
      const { content, size, burn } = found(await pasteTextById(ctx.app.db.read, id));
      holdAnswer(ctx, size);
      return { files: [], text: burn ? null : content };
    },
    nameOf: async ({ load }, uniqueId) => found(await load.paste(uniqueId)).title,
    checkExtension: hasNoExtension,
    textBytes: async ({ load }, uniqueId) => found(await load.paste(uniqueId)).size,
    counted: async ({ load }, uniqueId) => {
      const item = found(await load.paste(uniqueId));
      return { item, over: isGone(item), in: viewsOfItem('paste', item.id) };
    },
    follow: async ({ app }, { uniqueId, prefersText }) => {
      // The text has its own access rules.
      const url = prefersText === true ? rawUrl : webUrl;
      return uncounted(url(app, 'paste', encodeURIComponent(uniqueId)));
    },
  },
  url: {
    remove: deleteUrl,
    tellRemoval: hasNoEvent,
    contents: async () => ({ files: [], text: null }),
    nameOf: async ({ load }, uniqueId) => found(await load.url(uniqueId)).originalUrl,
    checkExtension: hasNoExtension,
    textBytes: hasNoText,
    counted: async ({ load }, uniqueId) => {
      const item = found(await load.url(uniqueId));
      return { item, over: isOver(item), in: visitsOfLink(item.id) };
    },
    follow: visit,
  },
};
