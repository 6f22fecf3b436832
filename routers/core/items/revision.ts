import { z } from 'zod';
import { type Content, lookupId } from '../../../db/content/content.js';
import { itemKey, type Kind, type OwnedKind } from '../../../db/content/kinds.js';
import { fail } from '../../base/errors.js';
import { isoOrNull } from '../../base/text/dates.js';
import type { Services } from '../context.js';
import { notifyField } from '../telling/input.js';

/** The `If-Match` header of a change. */
export const ifMatchInput = z.string().max(1_000).nullish();

/** The entity tag of an item's record (contract §3, Changes). */
export const revisionTag = (
  kind: OwnedKind,
  item: { readonly uniqueId: string; readonly revision: number },
): string => `W/"${kind}-${encodeURIComponent(item.uniqueId)}-${item.revision}"`;

/**
 * Refuses with 412 a change that was made to another revision than the present one. Tags are compared without their
 * `W/`: they stand for the record, not for its bytes.
 */
export function requireRevision(
  kind: OwnedKind,
  item: { readonly uniqueId: string; readonly revision: number },
  ifMatch: string | null | undefined,
): void {
  if (ifMatch === undefined || ifMatch === null || ifMatch.trim() === '') return;
  const present = revisionTag(kind, item).slice(2);
  const named = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//i, ''));
  if (named.includes('*') || named.includes(present)) return;
  fail('PRECONDITION_FAILED', 'It was changed meanwhile: read it again before you change it');
}

/** The fields about changes in the record of an item of any kind. */
export const revisionFields = {
  /** 1 at creation, and one more with each change by its owner. */
  revision: z.int(),
  updatedAt: z.iso.datetime().nullable(),
  /** Empty for everybody but the owner. */
  tags: z.array(z.string()),
  /** Whether its owner has marked it; false for everybody else. */
  favourite: z.boolean(),
  /** Whether its owner is told that it was opened; "none" for everybody else. */
  notify: notifyField,
  /** Former ids, which open the item as well; only in its owner's record. */
  aliases: z.array(z.string()).optional(),
};
const revisionRecord = z.object(revisionFields);

/** The values of `revisionFields`; `own` adds what only the owner sees. */
export async function revisionOf(
  app: Services,
  kind: Kind,
  item: Content,
  own: boolean,
): Promise<z.output<typeof revisionRecord>> {
  const { revision } = item;
  const updatedAt = isoOrNull(item.updatedAt);
  if (!own) return { revision, updatedAt, tags: [], favourite: false, notify: 'none' };
  const key = itemKey(kind, item.id);
  const tags = item.tagged ? await app.load.tags(key) : null;
  const aliases = item.namedAt === null ? null : await app.load.aliases(key);
  return {
    revision,
    updatedAt,
    tags: [...(tags ?? [])],
    favourite: item.favourite,
    notify: item.notify,
    // It may have gone back to a former id.
    aliases: (aliases ?? []).filter((id) => lookupId(id) !== lookupId(item.uniqueId)),
  };
}
