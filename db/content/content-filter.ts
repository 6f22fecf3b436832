import type { Db } from '../engine/connect.js';
import { type Condition, ifGiven } from '../engine/paging.js';
import { containing } from '../engine/pattern.js';
import { lookupId } from './content.js';
import { UNEXPIRED, usesLeft } from './life.js';

/** Filters of administrators' lists; absent or null = any. All given ones must hold. */
export interface ContentFilter {
  /** Part of an id, in any case. */
  readonly uniqueId?: string | null | undefined;
  /** Accounts whose items are shown, and accounts whose items are not; null = any. */
  readonly includeUsers?: readonly number[] | null | undefined;
  readonly excludeUsers?: readonly number[] | null | undefined;
  /** Images only: without the files of packs, which go with their pack. */
  readonly inNoPack?: boolean | undefined;
  /** Images only: types (`jpg`), and where the bytes are. */
  readonly formats?: readonly string[] | null | undefined;
  readonly location?: 'LOCAL' | 'S3' | null | undefined;
  /** Links only: visits, ends included. */
  readonly minVisits?: number | null | undefined;
  readonly maxVisits?: number | null | undefined;
  /** Links only: exactly this limit; -1 = links without one. */
  readonly maxUses?: number | null | undefined;
  /** Links only: whether they have expired or are used up. */
  readonly expired?: boolean | null | undefined;
  /** Only what its owner has put into the trash; otherwise only what is not there. */
  readonly trashed?: boolean | null | undefined;
}

/** SQL condition: the image is no file of a pack. */
export const IN_NO_PACK = `NOT EXISTS
  (SELECT 1 FROM collection_items p WHERE p.image_id = images.id AND p.address IS NOT NULL)`;

/** The conditions of a filter. The columns it names must exist in the table. */
export function conditionsOf({ dialect }: Db, filter: ContentFilter): readonly Condition[] {
  const { uniqueId = null, includeUsers = null, excludeUsers = null, formats = null } = filter;
  return [
    uniqueId === null ? null : [`lookup_id LIKE ? ESCAPE '!'`, containing(lookupId(uniqueId))],
    includeUsers === null ? null : [dialect.inNumbers('owner_id'), JSON.stringify(includeUsers)],
    excludeUsers === null ? null : [`NOT (${dialect.inNumbers('owner_id')})`, JSON.stringify(excludeUsers)],
    formats === null ? null : [dialect.inStrings('type'), JSON.stringify(formats)],
    filter.inNoPack === true ? [IN_NO_PACK] : null,
    ifGiven(filter.location ?? null, 'location = ?'),
    ifGiven(filter.minVisits ?? null, 'visits >= ?'),
    ifGiven(filter.maxVisits ?? null, 'visits <= ?'),
    withLimit(filter.maxUses ?? null),
    overOrNot(filter.expired ?? null),
  ];
}

const withLimit = (maxUses: number | null): Condition =>
  maxUses === -1 ? ['max_uses IS NULL'] : ifGiven(maxUses, 'max_uses = ?');

const LASTING = `(${UNEXPIRED} AND ${usesLeft('visits', 'max_uses')})`;

function overOrNot(expired: boolean | null): Condition {
  if (expired === null) return null;
  return [expired ? `NOT ${LASTING}` : LASTING, Date.now()];
}
