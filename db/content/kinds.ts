/** The kinds of item that share the id space of `/r/{id}`. */
export const KINDS = ['image', 'paste', 'url'] as const;
export type Kind = (typeof KINDS)[number];

/** How a kind of item is stored. */
interface Storage {
  readonly table: string;
  /** SQL condition: the item is not used up. */
  readonly left: string;
  /** SQL expressions of the share that an item has in the statistics; the format is "" for kinds that have none. */
  readonly counted: { readonly format: string; readonly bytes: string };
  /** The columns, or SQL expressions, whose text a search looks through. */
  readonly searched: readonly string[];
  /** The columns that reference blobs, by what the blob is to its item. */
  readonly blobs: Readonly<Record<string, string>>;
}

/** The definition of each kind in the database. */
export const KIND_STORAGE: Readonly<Record<Kind, Storage>> = {
  image: {
    table: 'images',
    left: '(max_views IS NULL OR views < max_views)',
    counted: { format: 'type', bytes: 'size' },
    searched: ['unique_id', 'original_name', 'description'],
    blobs: { image: 'sha256', 'poster of image': 'poster_sha256' },
  },
  paste: {
    table: 'pastes',
    left: '1 = 1',
    counted: { format: "''", bytes: 'size' },
    // The text of a burn-after-reading paste is not searched, because it could be guessed piece by piece.
    searched: ['unique_id', 'title', "(CASE WHEN burn THEN '' ELSE content END)"],
    blobs: {},
  },
  url: {
    table: 'short_urls',
    left: '(max_uses IS NULL OR visits < max_uses)',
    counted: { format: "''", bytes: '0' },
    searched: ['unique_id', 'original_url'],
    blobs: {},
  },
};

/** A value for each kind. */
export const byKind = <T>(of: (kind: Kind) => T): Record<Kind, T> =>
  Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, T>;

/** As `byKind`, with values that are awaited together. */
export async function allByKind<T>(of: (kind: Kind) => Promise<T>): Promise<Record<Kind, T>> {
  const entries = await Promise.all(KINDS.map(async (kind) => [kind, await of(kind)] as const));
  return Object.fromEntries(entries) as Record<Kind, T>;
}
