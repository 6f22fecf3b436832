import { z } from 'zod';
import type { OwnItem } from '../../../db/content/own/own-item.js';
import { KIND_NAMES, KINDS } from '../../base/kinds.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { accountOf } from '../../core/accounts/people.js';
import type { Services } from '../../core/context.js';
import { urlSet, urlSetOf } from '../../core/items/links.js';
import { revisionOf } from '../../core/items/revision.js';
import { sealRecord, sealShown } from '../../core/items/seal.js';
import { wordBox } from '../../features/image/public.js';

/** An item of any kind in a list of its owner (contract §7). */
export const ownItemRecord = z.object({
  kind: z.enum(KINDS),
  uniqueId: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  /** The extension of a file, the language of a paste; null for links. */
  type: z.string().nullable(),
  /** Bytes; null for links. */
  size: z.int().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  isPublic: z.boolean(),
  requiresPassword: z.boolean(),
  tags: z.array(z.string()),
  favourite: z.boolean(),
  urlSet,
  thumbhash: z.string().nullable(),
  ...sealRecord,
  /** The pack that a file belongs to; absent for others. */
  pack: z.string().optional(),
  /** Views of files and pastes. */
  views: z.int().optional(),
  /** Visits of links. */
  visits: z.int().optional(),
  /** In a search: a stretch of its text, and the places in it that were found; null without a text. */
  snippet: z
    .object({ text: z.string(), marks: z.array(z.tuple([z.int(), z.int()])) })
    .nullable()
    .optional(),
  /** In a search: the picture that has words which were found, and these; null for others. */
  found: z
    .object({ width: z.int(), height: z.int(), boxes: z.array(wordBox) })
    .nullable()
    .optional(),
});
export type OwnItemRecord = z.output<typeof ownItemRecord>;

/** Builds the record, for the owner. */
export async function toOwnItemRecord(app: Services, item: OwnItem): Promise<OwnItemRecord> {
  const owner = await accountOf(app, item.ownerId);
  const { tags } = await revisionOf(app, item.kind, item, true);
  const { hasPoster, burn, type } = item;
  const { hits } = KIND_NAMES[item.kind];
  return {
    kind: item.kind,
    uniqueId: item.uniqueId,
    title: item.title,
    description: item.description,
    type: item.type,
    size: item.size,
    createdAt: iso(item.createdAt),
    expiresAt: isoOrNull(item.expiresAt),
    isPublic: item.isPublic,
    requiresPassword: item.passwordHash !== null,
    tags,
    favourite: item.favourite,
    urlSet: await urlSetOf(app, item.kind, item, owner, { hasPoster, burn, type }),
    thumbhash: item.thumbhash,
    ...sealShown(item.seal),
    ...(item.pack === null ? {} : { pack: item.pack }),
    [hits]: item.hits,
  };
}
