import { z } from 'zod';
import { MEMBER_ROLES } from '../../../db/content/collection/collection-member.js';
import { checkedInParts } from '../../base/parts.js';
import { userSummary } from '../../core/accounts/user-summary.js';
import { sealRecord } from '../../core/items/seal.js';
import { notifyField } from '../../core/telling/input.js';
import { listedImage } from './files.js';

/** What every record of a collection has. */
const common = {
  uniqueId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  tags: z.array(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  ...sealRecord,
};

/** A collection in the list of its owner. */
export const listedCollection = z.object({
  ...common,
  /** As what it was made. */
  kind: z.enum(['collection', 'playlist', 'pack']),
  isPublic: z.boolean(),
  requiresPassword: z.boolean(),
  favourite: z.boolean(),
  /** Whether its owner is told that it was opened. */
  notify: notifyField,
  maxViews: z.int().nullable(),
  views: z.int(),
  /** Its entity tag is made of it. */
  revision: z.int(),
  totalFiles: z.int(),
  totalSize: z.int(),
  /** Its page. */
  url: z.url(),
});

/** The same with pictures that stand for it, where they are asked for: its chosen cover alone, or its first ones. */
export const picturedCollection = listedCollection.extend({ pictures: z.array(listedImage).optional() });

/** What somebody is in a collection that several keep together. */
const partInCollection = z.enum(['owner', ...MEMBER_ROLES]);

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
    /** What the caller is in it. */
    role: partInCollection,
    /** To whom it is offered; for its owner. */
    offeredTo: z.string().nullable(),
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
      favourite: true,
      notify: true,
      url: true,
      revision: true,
      role: true,
      offeredTo: true,
    })
    .extend({
      /** A zip of all files that the caller may open; null if there are none, and for a link that shows smaller pictures only. */
      zipUrl: z.url().nullable(),
      /** Whether its pictures are shown in a smaller size only. */
      renditionsOnly: z.boolean(),
      /** With a part of the files only, for its page: the cover and the first files, which stand for all of it. */
      leading: z.array(listedImage).optional(),
      /** With a part only: opens the other parts and steps through the files; null if that needs no proof. */
      ticket: z.string().nullable().optional(),
      /** With a part only: why a moderator keeps it from others; null if it is not. */
      quarantine: z.string().nullable().optional(),
      /** With a part only: what the caller is in it; null for others. */
      role: partInCollection.nullable().optional(),
    }),
  'items',
);
export type OpenedCollection = z.output<typeof openedCollection>;
