/** What each kind of item is called outside, and where it lies: facts only; what it does is in `items.ts`. */
import type { Content } from '../../db/content/content.js';
import { KINDS, type Kind, OWNED_KINDS, type OwnedKind } from '../../db/content/kinds.js';

export {
  allByKind,
  byKind,
  KINDS,
  type Kind,
  OWNED_KINDS,
  type OwnedKind,
  SHARED_KINDS,
  type SharedKind,
} from '../../db/content/kinds.js';

interface Names {
  /** In lists, statistics, metrics and the scopes of keys. */
  readonly plural: string;
  /** The number of items in the statistics of an account. */
  readonly counter: string;
  /** The path below `/v1` of the content itself, which ends with the id, and its query. */
  readonly raw: { readonly path: string; readonly query: string; readonly hasExtension: boolean };
  /** Whether an id may be a slug: of any script, with slashes. */
  readonly takesSlugs: boolean;
  /** Whether its address leads elsewhere at once, instead of to something that is here. */
  readonly leadsOn: boolean;
  /** What its uses are called where they are counted; null if they are not. */
  readonly hits: 'views' | 'visits';
  /** What the metrics call requests for the content. */
  readonly requestClass: string;
  /**
   * The path of an item on a separate portal, and whether that shows this item as its owner wants it shown. It has no
   * page for links, and it opens pastes without asking for a password and without confirming that a burn paste is read.
   */
  readonly portal: { readonly path: string; shows(item: Content, burn: boolean): boolean };
  /** The event of its being opened, which webhooks receive only where they name it, or its owner asks for it. */
  readonly openedEvent: string;
  /** The events that a webhook can receive (contract §3, webhook settings), with their headlines. */
  readonly events: Readonly<Record<string, string>>;
}

const NAMES = {
  image: {
    plural: 'images',
    counter: 'totalUploads',
    raw: { path: '/image/get/', query: '', hasExtension: true },
    takesSlugs: false,
    leadsOn: false,
    hits: 'views',
    requestClass: 'image',
    portal: { path: 'i', shows: () => true },
    events: {
      'image.created': 'New upload',
      'image.updated': 'Upload changed',
      'image.deleted': 'Upload deleted',
      'image.opened': 'File opened',
    },
    openedEvent: 'image.opened',
  },
  paste: {
    plural: 'pastes',
    counter: 'pastesCreated',
    raw: { path: '/paste/get/', query: '?raw=true', hasExtension: false },
    takesSlugs: false,
    leadsOn: false,
    hits: 'views',
    requestClass: 'paste',
    portal: {
      path: 'p',
      shows: (item: Content, burn: boolean) => item.isPublic && item.passwordHash === null && !burn,
    },
    events: {
      'paste.created': 'New paste',
      'paste.updated': 'Paste changed',
      'paste.opened': 'Paste opened',
    },
    openedEvent: 'paste.opened',
  },
  url: {
    plural: 'urls',
    counter: 'urlsShortened',
    raw: { path: '/url/r/', query: '', hasExtension: false },
    takesSlugs: true,
    leadsOn: true,
    hits: 'visits',
    requestClass: 'redirect',
    portal: { path: 'r', shows: () => false },
    events: {
      'url.created': 'New short link',
      'url.updated': 'Short link changed',
      'url.exhausted': 'Short link used up',
      'link.visited': 'Short link followed',
    },
    openedEvent: 'link.visited',
  },
} as const satisfies Readonly<Record<Kind, Names>>;

type AnyNames = (typeof NAMES)[keyof typeof NAMES];
/** The names of kinds for several items. */
export type Plural = AnyNames['plural'];
/** The events about items of a kind. */
export type EventOf<K extends Kind> = Events<Extract<K, keyof typeof NAMES>>;
type Events<N extends keyof typeof NAMES> = { [K in N]: keyof (typeof NAMES)[K]['events'] }[N];

/** The definition of each kind in the interface. */
export const KIND_NAMES: Readonly<Record<Kind, AnyNames>> = NAMES;

/** Whether a text names a kind. */
export const isKind = (text: string | null | undefined): text is Kind => KINDS.some((kind) => kind === text);

/** Whether ids of this are slugs; not if it is no kind of item. */
export const takesSlugs = (kind: string | null | undefined): boolean =>
  isKind(kind) && KIND_NAMES[kind].takesSlugs;

/** Whether addresses of this lead on at once; not if it is no kind of item. */
export const leadsOn = (kind: string | null | undefined): boolean => isKind(kind) && KIND_NAMES[kind].leadsOn;

/** As `isKind`, for everything that can be in the trash. */
export const isOwnedKind = (text: string | null | undefined): text is OwnedKind =>
  OWNED_KINDS.some((kind) => kind === text);

/** The fields of a record about all kinds: a value for each, under the name of its field. */
export const byName = <N extends string, T>(name: (kind: Kind) => N, of: (kind: Kind) => T): Record<N, T> =>
  Object.fromEntries(KINDS.map((kind) => [name(kind), of(kind)])) as Record<N, T>;

/** As `byName`, for fields that have the plural as their name. */
export const byPlural = <T>(of: (kind: Kind) => T): Record<Plural, T> =>
  byName((kind) => KIND_NAMES[kind].plural, of);
