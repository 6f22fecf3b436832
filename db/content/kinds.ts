import { usesLeft } from './life.js';

/** The kinds of item that share the id space of `/r/{id}`. */
export const KINDS = ['image', 'paste', 'url'] as const;
export type Kind = (typeof KINDS)[number];

/** What an account puts into its trash and gives tags to: items of every kind, and collections of files. */
export const OWNED_KINDS = [...KINDS, 'collection'] as const;
export type OwnedKind = (typeof OWNED_KINDS)[number];
/** What share links open: a short link is an address for everybody anyway. */
export const SHARED_KINDS = ['image', 'paste', 'collection'] as const;
export type SharedKind = (typeof SHARED_KINDS)[number];

/** How a kind of item is stored. */
interface Storage {
  readonly table: string;
  /** Whether its column `opened` counts with the statistics; links count each visit themselves. */
  readonly isOpened: boolean;
  /** The column of the medium that a file is, and the index by it; null for kinds that have none. */
  readonly media: { readonly column: string; readonly index: string } | null;
  /** SQL condition: the item is not used up. */
  readonly left: string;
  /**
   * SQL condition: it is in the trash only with what it belongs to, as the files are that were deleted with their pack; null
   * if that cannot be.
   */
  readonly onlyWith: string | null;
  /** SQL expression of the title that messages say where everybody may read it; null for what has none, or is sealed. */
  readonly told: string;
  /** SQL expressions of the share that an item has in the statistics; the format is "" for kinds that have none. */
  readonly counted: { readonly format: string; readonly bytes: string };
  /** What a search finds an item by (docs/api.md), beside its id and its tags. */
  readonly searched: {
    /** Columns for everybody who may list the item; its owner alone if it has a password. */
    readonly shown: readonly string[];
    /** Columns for its owner. */
    readonly own: readonly string[];
    /** SQL expression: what was read in its bytes, for its owner; null if nothing is. */
    readonly read: string | null;
    /** SQL expression: what a snippet is cut from. */
    readonly text: string;
    /** A column that is true for items that are not found at all. */
    readonly never: string | null;
    /** The column that is not null for items of whose columns nothing is found; null if there is none. */
    readonly sealed: string | null;
    /** SQL expression: about how many bytes these columns have. */
    readonly bytes: string;
  };
  /** SQL expressions of what a list of several kinds shows of an item. */
  readonly listed: Readonly<
    Record<
      | 'title'
      | 'description'
      | 'type'
      | 'size'
      | 'hits'
      | 'thumbhash'
      | 'hasPoster'
      | 'burn'
      | 'pack'
      | 'seal',
      string
    >
  >;
  /**
   * What lists are sorted by, as SQL expressions that an index of each account's items begins with; `name` is folded. Null
   * for kinds that have none: their items are equal in that order. `hits` need no index. `times` is the index by `created_at`.
   */
  readonly sorted: {
    readonly times: string;
    readonly name: string;
    readonly size: string | null;
    readonly hits: { readonly by: string; readonly isIndexed: boolean };
  };
  /** The columns that reference blobs, by what the blob is to its item. */
  readonly blobs: Readonly<Record<string, string>>;
}

/** What an image is shown to have been opened; where views are limited, those that used them up. */
const VIEWS_OF_IMAGE = '(CASE WHEN max_views IS NULL THEN opened ELSE views END)';

/** SQL expression about what was read in a file. */
const readInFile = (what: string): string =>
  `(SELECT ${what} FROM image_words w WHERE w.image_id = images.id)`;

/** The definition of each kind in the database. */
export const KIND_STORAGE: Readonly<Record<Kind, Storage>> = {
  image: {
    table: 'images',
    isOpened: true,
    media: { column: 'media_kind', index: 'images_of_medium' },
    left: usesLeft('views', 'max_views'),
    onlyWith: `EXISTS (SELECT 1 FROM collection_items i JOIN collections p ON p.id = i.collection_id
      WHERE i.image_id = images.id AND i.address IS NOT NULL AND p.trashed_at IN (0, images.trashed_at))`,
    told: 'CASE WHEN seal IS NULL THEN original_name END',
    counted: { format: 'type', bytes: 'size' },
    searched: {
      ...{ shown: ['original_name', 'description'], own: [], read: readInFile('w.words') },
      text: `coalesce(description, '') || ' ' || coalesce(${readInFile('w.words')}, '')`,
      ...{ never: null, sealed: 'seal', bytes: `coalesce(${readInFile('length(w.words)')}, 0)` },
    },
    listed: {
      title: 'coalesce(original_name, unique_id)',
      description: 'description',
      type: 'type',
      size: 'size',
      hits: VIEWS_OF_IMAGE,
      thumbhash: 'thumbhash',
      hasPoster: '(poster_sha256 IS NOT NULL)',
      burn: 'false',
      pack: `(SELECT p.unique_id FROM collection_items i JOIN collections p ON p.id = i.collection_id
        WHERE i.image_id = images.id AND i.address IS NOT NULL LIMIT 1)`,
      seal: 'seal',
    },
    sorted: {
      times: 'images_owner',
      name: 'coalesce(original_name, unique_id)',
      size: 'size',
      hits: { by: VIEWS_OF_IMAGE, isIndexed: true },
    },
    blobs: { image: 'sha256', 'poster of image': 'poster_sha256' },
  },
  paste: {
    table: 'pastes',
    isOpened: true,
    media: null,
    left: '1 = 1',
    onlyWith: null,
    told: 'CASE WHEN seal IS NULL THEN title END',
    counted: { format: "''", bytes: 'size' },
    // The text of a burn-after-reading paste could be guessed piece by piece.
    searched: {
      ...{ shown: ['title', 'content', 'file_names'], own: [], read: null, text: 'content' },
      ...{ never: 'burn', sealed: 'seal', bytes: 'size' },
    },
    listed: {
      title: 'coalesce(title, unique_id)',
      description: 'CAST(NULL AS text)',
      type: "CASE WHEN seal IS NULL THEN coalesce(language, 'txt') ELSE 'age' END",
      size: 'size',
      hits: 'opened',
      thumbhash: 'CAST(NULL AS text)',
      hasPoster: 'false',
      burn: 'burn',
      pack: 'CAST(NULL AS text)',
      seal: 'seal',
    },
    sorted: {
      times: 'pastes_counted',
      name: 'coalesce(title, unique_id)',
      size: 'size',
      hits: { by: 'opened', isIndexed: true },
    },
    blobs: {},
  },
  url: {
    table: 'short_urls',
    isOpened: false,
    media: null,
    left: usesLeft('visits', 'max_uses'),
    onlyWith: null,
    told: 'CAST(NULL AS text)',
    counted: { format: "''", bytes: '0' },
    searched: {
      ...{ shown: ['original_url'], own: ['note'], read: null, text: 'note' },
      ...{ never: null, sealed: null, bytes: '0' },
    },
    listed: {
      title: 'original_url',
      description: 'note',
      type: 'CAST(NULL AS text)',
      size: 'CAST(NULL AS bigint)',
      hits: 'visits',
      thumbhash: 'CAST(NULL AS text)',
      hasPoster: 'false',
      burn: 'false',
      pack: 'CAST(NULL AS text)',
      seal: 'CAST(NULL AS text)',
    },
    // A target may be longer than what PostgreSQL has in an index.
    sorted: {
      times: 'short_urls_owner',
      name: 'substr(original_url, 1, 200)',
      size: null,
      hits: { by: 'visits', isIndexed: false },
    },
    blobs: {},
  },
};

/** The table of what an account owns. */
export const tableOf = (kind: OwnedKind): string =>
  kind === 'collection' ? 'collections' : KIND_STORAGE[kind].table;

/** A value for each kind. */
export const byKind = <T>(of: (kind: Kind) => T): Record<Kind, T> =>
  Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, T>;

/** As `byKind`, with values that are awaited together. */
export async function allByKind<T>(of: (kind: Kind) => Promise<T>): Promise<Record<Kind, T>> {
  const entries = await Promise.all(KINDS.map(async (kind) => [kind, await of(kind)] as const));
  return Object.fromEntries(entries) as Record<Kind, T>;
}

/** A kind and a row id as one text. */
export const itemKey = (kind: OwnedKind, id: number): string => `${kind} ${id}`;

/** Those of several items as lists for `rowsOf`, as JSON. */
export const itemKeyRows = (keys: readonly string[]): string =>
  JSON.stringify(keys.map((key) => key.split(' ')).map(([kind, id]) => [kind, Number(id)]));
