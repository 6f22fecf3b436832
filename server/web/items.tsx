/** What the pages do with an item of any kind; its words are in `kinds.ts`. */
import type { Fields } from '../../rest-adapter/fields.js';
import type { OpenEntry } from '../../rest-adapter/reply/zip-stream.js';
import { unlessRemoved } from '../../routers/base/errors.js';
import type { Kind } from '../../routers/base/kinds.js';
import type { Item, ListPage } from './account/export-lists.js';
import type { ContentEntry } from './admin/content-page.js';
import { thumbnailOf } from './components/item/media.js';
import type { Editing } from './edit/editing.js';
import type { Notify } from './edit/notify.js';
import { imageEditing } from './image/edit.js';
import { imageEntries, listImages } from './image/export.js';
import { embedImage } from './image/oembed.js';
import { showImage } from './image/routes.js';
import { libraryAsked } from './library/asked.js';
import { linksAsked } from './link/asked.js';
import { linkEditing } from './link/edit.js';
import { linkEntries, listLinks } from './link/export.js';
import { embedLink } from './link/oembed.js';
import { showLink } from './link/routes.js';
import { paged, searchOf, type Window } from './listing.js';
import { pasteEditing } from './paste/edit.js';
import { listPastes, pasteEntries } from './paste/export.js';
import { embedPaste } from './paste/oembed.js';
import { showPaste } from './paste/routes.js';
import type { Paged } from './records.js';
import type { PageAnswer, PageRequest } from './request.js';
import type { OEmbed } from './site/oembed.js';

type Call = PageRequest['call'];
type Search = Parameters<Call['admin']['images']>[0];

/** What something is to its owner. */
export interface Marks {
  readonly favourite?: boolean;
  readonly notify?: Notify;
}

interface ItemPages {
  /** The page of an item, or of what is needed to open it. */
  show(request: PageRequest, uniqueId: string): Promise<PageAnswer>;
  /** The oEmbed answer of its page; null for an item that is not public. */
  embed(request: PageRequest, uniqueId: string): Promise<OEmbed | null>;
  /** How its owner edits it. */
  readonly edit: Editing;
  /** Deletes an item of the viewer, or one that the viewer moderates. */
  remove(call: Call, uniqueId: string): Promise<unknown>;
  /** Changes what one of the viewer is to them: a favourite, and whether they are told that it was opened. */
  mark(call: Call, uniqueId: string, marks: Marks): Promise<unknown>;
  /** The address of a small picture of it; null for what has none, or is gone. */
  picture(call: Call, uniqueId: string): Promise<string | null>;
  /** A part of the viewer's list of this kind, with the filter in its address. */
  listed(
    call: Call,
    query: Fields,
    window: Window,
  ): Promise<Paged<{ readonly uniqueId: string; readonly createdAt: string }>>;
  /** A search in the items of all accounts, for administrators. */
  find(call: Call, search: Search): Promise<Paged<ContentEntry>>;
  /** Its part of the export of an account. */
  readonly export: {
    /** The name of the list, and of the folder with the contents. */
    readonly name: string;
    list(call: Call): ListPage<Item>;
    /** The contents as files; null for items that are all in the list. */
    readonly entries: ((request: PageRequest) => AsyncGenerator<OpenEntry>) | null;
  };
}

const mapped = <T,>(list: Paged<T>, entry: (item: T) => ContentEntry): Paged<ContentEntry> => ({
  ...list,
  items: list.items.map(entry),
});

const entryOf = (
  kind: Kind,
  item: Pick<ContentEntry, 'uniqueId' | 'isPublic'> & {
    readonly uploader: NonNullable<ContentEntry['owner']>;
  },
  title: string,
  createdAt: string,
  picture: string | null = null,
): ContentEntry => ({
  kind,
  uniqueId: item.uniqueId,
  owner: item.uploader,
  isPublic: item.isPublic,
  title,
  createdAt,
  picture,
});

const noPicture = async (): Promise<null> => null;

async function pictureOfImage({ image }: Call, uniqueId: string): Promise<string | null> {
  const record = await unlessRemoved(image.info({ uniqueId }));
  return record === null ? null : thumbnailOf(record);
}

/** The definition of each kind for pages that show any of them. */
export const ITEM_PAGES: Readonly<Record<Kind, ItemPages>> = {
  image: {
    show: showImage,
    embed: embedImage,
    edit: imageEditing,
    remove: ({ image }, uniqueId) => image.delete({ uniqueId }),
    mark: ({ image }, uniqueId, marks) => image.change({ uniqueId, ...marks }),
    picture: pictureOfImage,
    listed: async (call, query, window) => {
      const list = await libraryAsked(call, query, window);
      return {
        ...list,
        items: list.items.map(({ uniqueId, uploadedAt }) => ({ uniqueId, createdAt: uploadedAt })),
      };
    },
    find: async ({ admin }, search) =>
      mapped(paged(await admin.images(search)), (image) =>
        entryOf('image', image, image.originalName ?? image.uniqueId, image.uploadedAt, thumbnailOf(image)),
      ),
    export: { name: 'files', list: listImages, entries: imageEntries },
  },
  paste: {
    show: showPaste,
    embed: embedPaste,
    edit: pasteEditing,
    remove: ({ paste }, uniqueId) => paste.delete({ uniqueId }),
    mark: ({ paste }, uniqueId, marks) => paste.change({ uniqueId, ...marks }),
    picture: noPicture,
    listed: ({ library }, query, window) => library.pastes({ search: searchOf(query), ...window }),
    find: async ({ admin }, search) =>
      mapped(paged(await admin.pastes(search)), (paste) =>
        entryOf('paste', paste, paste.title, paste.createdAt),
      ),
    export: { name: 'pastes', list: listPastes, entries: pasteEntries },
  },
  url: {
    show: showLink,
    embed: embedLink,
    edit: linkEditing,
    remove: ({ url }, uniqueId) => url.delete({ uniqueId }),
    mark: ({ url }, uniqueId, marks) => url.change({ uniqueId, ...marks }),
    picture: noPicture,
    listed: async (call, query, window) => {
      const list = await linksAsked(call, query, window);
      return { ...list, items: list.items.map((link) => ({ ...link, uniqueId: link.fullId })) };
    },
    find: async ({ admin }, search) =>
      mapped(paged(await admin.urls(search)), (link) =>
        entryOf('url', { ...link, uniqueId: link.fullId }, link.originalUrl ?? '', link.createdAt),
      ),
    export: { name: 'links', list: listLinks, entries: linkEntries },
  },
};
