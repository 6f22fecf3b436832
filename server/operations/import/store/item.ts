import { noteImported } from '../../../../db/content/imported.js';
import { keepOldAddress, MAX_ADDRESS_LENGTH } from '../../../../db/content/old-address.js';
import { tagKey } from '../../../../db/content/tag/new-tags.js';
import type { Queryable } from '../../../../db/engine/queryable.js';
import { takesSlugs } from '../../../../routers/base/kinds.js';
import { idOnDomain } from '../../../../routers/base/link-domain.js';
import { isSlug } from '../../../../routers/base/slug.js';
import type { Services } from '../../../../routers/core/context.js';
import { collectionIdInput, ID_PATTERN, insertUnderId } from '../../../../routers/core/items/ids.js';
import { MAX_TAGS, tagInput } from '../../../../routers/core/items/tags.js';
import type { SourceItem } from '../port.js';

/** An item that is to be stored. */
export type Storable = Exclude<SourceItem, { kind: 'refused' }>;

/** Whose it will be, and where it comes from. */
export interface Place {
  readonly source: string;
  readonly ownerId: number;
  /** A folder beside the store, in which files get a second name instead of being copied; null copies them. */
  readonly adoptingIn: string | null;
}

/** How items of a kind come from other products. */
export interface Imported<T extends Storable> {
  /** Several of them, in words. */
  readonly called: string;
  /** Whether all items before it have to be stored first, because it refers to them. */
  readonly refers: boolean;
  /** Why an item cannot come, as far as that is known beforehand; null if nothing is against it. May throw it, too. */
  against(app: Services, item: T): Promise<string | null>;
  store(app: Services, item: T, place: Place): Promise<string>;
}

/** Stores the rows of an item under an id, and returns the row id. */
export type Insert = (trx: Queryable, uniqueId: string) => Promise<number>;

const ID = new RegExp(`^${ID_PATTERN}$`);

/** An id as it is here; null if an item of the kind cannot have it. */
function idHere({ kind, id: given }: Pick<Storable, 'kind' | 'id'>): string | null {
  const id = given?.normalize('NFC') ?? null;
  if (id === null || (takesSlugs(kind) && isSlug(id))) return id;
  // Words of other paths of collections are no ids of theirs.
  return ID.test(id) && (kind !== 'collection' || collectionIdInput.safeParse(id).success) ? id : null;
}
/** The longest description or note. */
export const MAX_TEXT_LENGTH = 1_000;

/** How an item that is rows only is stored, on a domain if one is given. */
export const inRows =
  <T extends Storable>(
    prepare: (app: Services, item: T, place: Place) => Promise<Insert>,
    domain: { readonly id: number } | null = null,
  ) =>
  async (app: Services, item: T, place: Place): Promise<string> => {
    const insert = await prepare(app, item, place);
    return underSomeId(app, item, (slug) =>
      app.db.write(async (trx) => {
        const uniqueId = idOnDomain(domain, slug);
        const id = await insert(trx, uniqueId);
        await note(trx, item, place, id);
        return uniqueId;
      }),
    );
  };

/** Under the id that it had, if nobody has it here; otherwise under a generated one. */
export async function underSomeId<T>(
  app: Services,
  item: Storable,
  insert: (uniqueId: string) => Promise<T>,
): Promise<T> {
  const id = idHere(item);
  if (id !== null)
    try {
      return await insert(id);
    } catch (error) {
      if (!app.db.dialect.isUniqueViolation(error)) throw error;
    }
  return insertUnderId(app.db, null, insert);
}

/** The columns that all items have. */
export const common = (item: Storable, { ownerId }: Place, uniqueId: string) => ({
  uniqueId,
  ownerId,
  isPublic: item.isPublic,
  passwordHash: item.passwordHash,
  createdAt: item.createdAt,
  expiresAt: item.expiresAt,
});

/** Longer addresses are never asked for, and do not fit into an index of PostgreSQL. */
const isLookedUp = (address: string): boolean => Buffer.byteLength(address) <= MAX_ADDRESS_LENGTH;

/** Records where the item came from, so that a repeated import leaves it out, and where it was found. */
export async function note(trx: Queryable, item: Storable, { source }: Place, itemId: number): Promise<void> {
  const { key, kind } = item;
  await noteImported(trx, { source, key, kind, itemId });
  for (const address of item.addresses.filter(isLookedUp))
    await keepOldAddress(trx, { address, kind, itemId, asPage: false });
  for (const address of item.pages.filter(isLookedUp))
    await keepOldAddress(trx, { address, kind, itemId, asPage: true });
}

/** Those of the tags of an item that can be tags here, each once in whatever case. */
export function tagsOf({ tags }: { readonly tags: readonly string[] }): string[] {
  const usable = tags.flatMap((name) => tagInput.safeParse(name).data ?? []);
  return [...new Map(usable.map((name) => [tagKey(name), name])).values()].slice(0, MAX_TAGS);
}
