/** What can be done with an item of any kind; the names of the kinds are in `kinds.ts`. */

import { imageById } from '../../db/content/file/image.js';
import { isUnavailable, isUsedUp } from '../../db/content/life.js';
import { pasteTextById } from '../../db/content/paste.js';
import { viewsOfItem, visitsOfLink } from '../../db/statistics/visit-days.js';
import { fail, found } from '../base/errors.js';
import { isOwnExtension } from '../base/item-address.js';
import type { Kind } from '../base/kinds.js';
import type { AccountContext, Context, ItemActions } from '../core/context.js';
import { rawUrl, webUrl } from '../core/items/links.js';
import { holdAnswer } from '../core/large-answer.js';

import { changeImage } from '../features/image/change.js';
import { announceImageRemovals, deleteImage } from '../features/image/delete.js';
import { readLater } from '../features/image/words.js';
import { changeLink } from '../features/link/change.js';
import { deleteUrl } from '../features/link/delete.js';
import { isEnded, type VisitResult, visit } from '../features/link/visits/visit.js';
import { changePaste } from '../features/paste/change.js';
import { deletePaste } from '../features/paste/delete.js';

const hasNoEvent = async (): Promise<boolean> => false;
const hasNothingToDo = async (): Promise<void> => {};
const hasNoText = async (): Promise<number> => 0;
const hasNoExtension = async (): Promise<never> => fail('NOT_FOUND');

/** The definition of each kind in the domain; others find it in the services. */
export const ITEM_ACTIONS: Readonly<Record<Kind, ItemActions>> = {
  image: {
    remove: deleteImage,
    announceRemoval: (app, trx, { id, ownerId }) => announceImageRemovals(app, trx, ownerId, [id]),
    released: readLater,
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
      return {
        item,
        over: isUnavailable(item) || isUsedUp(item.views, item.maxViews),
        in: viewsOfItem('image', item.id),
      };
    },
  },
  paste: {
    remove: deletePaste,
    announceRemoval: hasNoEvent,
    released: hasNothingToDo,
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
      return { item, over: isUnavailable(item), in: viewsOfItem('paste', item.id) };
    },
  },
  url: {
    remove: deleteUrl,
    announceRemoval: hasNoEvent,
    released: hasNothingToDo,
    contents: async () => ({ files: [], text: null }),
    nameOf: async ({ load }, uniqueId) => found(await load.url(uniqueId)).originalUrl,
    checkExtension: hasNoExtension,
    textBytes: hasNoText,
    counted: async ({ load }, uniqueId) => {
      const item = found(await load.url(uniqueId));
      return { item, over: isEnded(item), in: visitsOfLink(item.id) };
    },
  },
};

/** A followed short link; `prefersText` if a program wants the text of a paste, not its page. */
type Followed = Parameters<typeof visit>[1] & { readonly prefersText?: boolean | null | undefined };

/** A redirect that is no visit. */
export const uncounted = (location: string): VisitResult => ({ location, permanent: false, counted: false });

/** Where the short link of a living item of a kind leads. */
export const FOLLOWED: Readonly<Record<Kind, (ctx: Context, input: Followed) => Promise<VisitResult>>> = {
  image: async ({ app }, { uniqueId }) => uncounted(webUrl(app, 'image', uniqueId)),
  // The text has its own access rules.
  paste: async ({ app }, { uniqueId, prefersText }) =>
    uncounted((prefersText === true ? rawUrl : webUrl)(app, 'paste', uniqueId)),
  url: visit,
};

/** Gives an item of a kind of the caller another end. */
export const ENDED: Readonly<
  Record<
    Kind,
    (
      ctx: AccountContext,
      ending: {
        readonly uniqueId: string;
        readonly newId: null;
        readonly expiresAt: number | null | undefined;
      },
    ) => Promise<unknown>
  >
> = {
  image: changeImage,
  paste: changePaste,
  url: changeLink,
};
