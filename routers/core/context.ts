import type { Content } from '../../db/content/content.js';
import type { Db } from '../../db/engine/connect.js';
import type { Queryable } from '../../db/engine/queryable.js';
import type { Loaders } from '../../db/loaders.js';
import type { CountedIn } from '../../db/statistics/visit-days.js';
import type { CookieChange } from '../base/cookies.js';
import type { Kind } from '../base/kinds.js';
import type { Background } from '../base/ports/background.js';
import type { Challenge } from '../base/ports/challenge.js';
import type { ChatServices } from '../base/ports/chat.js';
import type { DomainProofs } from '../base/ports/domain-proof.js';
import type { Highlight } from '../base/ports/highlight.js';
import type { ReadHost } from '../base/ports/host.js';
import type { Hub } from '../base/ports/hub.js';
import type { Installation } from '../base/ports/installation.js';
import type { Jobs } from '../base/ports/jobs.js';
import type { KeyUses } from '../base/ports/key-uses.js';
import type { Limits } from '../base/ports/limits.js';
import type { Log } from '../base/ports/log.js';
import type { MailServices } from '../base/ports/mail/mail-services.js';
import type { RefusedMails } from '../base/ports/mail/refused-mails.js';
import type { RenderMarkdown } from '../base/ports/markdown.js';
import type { Archives } from '../base/ports/media/archives.js';
import type { Media } from '../base/ports/media/media.js';
import type { OidcProvider } from '../base/ports/oidc.js';
import type { Openings } from '../base/ports/openings.js';
import type { FileFetcher, Webhooks } from '../base/ports/outbound.js';
import type { Scanner } from '../base/ports/scanner.js';
import type { ItemPasswords, Passwords, Secrets } from '../base/ports/secrets.js';
import type {
  ByteCount,
  ConcurrencyLimit,
  KeptTexts,
  MemoryBudget,
  SingleFlight,
  Turns,
} from '../base/ports/sharing.js';
import type { BlobStore, HeldBytes } from '../base/ports/storage.js';
import type { TargetLooks } from '../base/ports/target-looks.js';
import type { Opening, Views } from '../base/ports/views.js';
import type { Visits } from '../base/ports/visits.js';
import type { Probe } from '../base/probe.js';
import type { Caller, Credentials } from './caller.js';
import type { Creations } from './items/creations.js';
import type { Settings } from './settings.js';

/** Where content is. */
interface StorageServices {
  /** All bytes, wherever they are. */
  readonly blobs: BlobStore;
  /** The stores that `blobs` consists of, to move bytes between them. */
  readonly stores: readonly BlobStore[];
  /** Whether enough space is left to store more. */
  hasSpace(): Promise<boolean>;
  /** The bytes of a small stored blob from memory; null for blobs that must be read from the store. */
  heldBytes(sha256: string, size: number): Promise<HeldBytes | null>;
  /** The path at which the proxy in front sends these bytes if an answer leads there; null if it does not. */
  acceleratedPath(sha256: string, size: number): Promise<string | null>;
}

/** What keeps one client from taking the server from all others. */
export interface LimitServices {
  readonly rates: Limits;
  /** For site-wide statistics: they are expensive and partly open to anonymous callers, so few run at once. */
  readonly statistics: ConcurrencyLimit;
  /** For searches, by account: each reads every text that may contain what is searched for. */
  readonly searches: Turns;
  /** For the calls of batches, by network: one request has many, all of which would otherwise be ahead of the next. */
  readonly batchCalls: Turns;
  /** For the parts of lists that are made while they are sent, by network: a client may ask for many of them. */
  readonly lines: Turns;
  /** For files fetched from other servers, by account. */
  readonly fetches: Turns;
  /** Changes of videos, by account or network. */
  readonly videoTools: Turns;
  /** For fetching what renditions are made of: a bucket makes a local copy, and anyone may ask for many. */
  readonly originals: ConcurrencyLimit;
  /** For making renditions, and what the tools make: needs no store, so that a silent one takes no turns. */
  readonly renditions: ConcurrencyLimit;
  /** For listings of archives, as `originals`. */
  readonly archiveListings: ConcurrencyLimit;
  /** For building slow large responses; see `buildAnswer`. */
  readonly largeAnswers: ConcurrencyLimit;
  /** For responses that may be large, which anyone may request, many in one batch; see `holdAnswer`. */
  readonly answerMemory: MemoryBudget;
  /**
   * For the bodies of requests that are not authenticated, in memory and in the staging area: all of them together,
   * however many they are and however long they take.
   */
  readonly unauthenticated: { readonly memory: ByteCount; readonly staging: ByteCount };
  /** For mails that are held completely in memory while sending, with their attachments. */
  readonly mailMemory: MemoryBudget;
}

/** Everything that lives as long as the process. */
export interface Services {
  /** What is in effect; changes with `installation`. */
  readonly settings: Settings;
  readonly installation: Installation;
  readonly db: Db;
  readonly load: Loaders;
  readonly storage: StorageServices;
  /** Looks for malware; null for no scanner. */
  readonly scanner: Scanner | null;
  readonly media: Media & { readonly archives: Archives };
  readonly mail: MailServices;
  readonly chat: ChatServices;
  /** What somebody without an account does for a mailbox; null: they get none. */
  readonly challenge: Challenge | null;
  /** Providers of sign-ins, in the order of their buttons. */
  readonly oidc: readonly OidcProvider[];
  readonly limits: LimitServices;
  readonly singleFlight: SingleFlight;
  /** As `singleFlight`, but keeps the result for two more seconds. For a small number of keys. */
  readonly cachedBriefly: SingleFlight;
  /** What is in archives, as JSON. */
  readonly listings: KeptTexts;
  /** Which files took too long lately, by the work and their hash. */
  readonly slowFiles: KeptTexts;
  readonly hub: Hub;
  readonly readHost: ReadHost;
  readonly highlight: Highlight;
  readonly markdown: RenderMarkdown;
  readonly webhooks: Webhooks;
  readonly files: FileFetcher;
  readonly domainProofs: DomainProofs;
  readonly targetLooks: TargetLooks;
  /** What goes on after its request. */
  readonly background: Background;
  readonly jobs: Jobs;
  readonly keyUses: KeyUses;
  readonly refusedMails: RefusedMails;
  readonly passwords: Passwords;
  readonly itemPasswords: ItemPasswords;
  readonly secrets: Secrets;
  readonly visits: Visits;
  readonly views: Views;
  readonly openings: Openings;
  /** What can be done with an item of each kind. */
  readonly items: Readonly<Record<Kind, ItemActions>>;
  readonly creations: Creations;
  /** Whether what every request needs works. */
  readonly probes: { readonly database: Probe; readonly storage: Probe };
  /** Where this process is in its life; `stopping` as soon as it was told to stop. */
  readonly phase: { stopping: boolean };
  readonly log: Log;
}

/** The calls of one batch, the sizes of their answers so far, and the memory already counted for them. */
interface Batch {
  readonly calls: number;
  answers: number;
  held: number;
}

/** A request, as the domain sees it. */
export interface Context extends Opening {
  readonly app: Services;
  /** The client's IP address, for logs, sessions and the audit log. */
  readonly address: string;
  /** Used by rate limits instead of `address`: all addresses of one network count as one caller. */
  network(): string;
  readonly userAgent: string | null;
  /**
   * Whether what it reads counts as opened: not for HEAD, nor for what one of our pages shows or fetches, because the
   * page is what was opened.
   */
  readonly opens: boolean;
  /** The `Accept-Language` header, which says what a reader without a choice wants to read. */
  readonly acceptLanguage: string | null;
  readonly credentials: Credentials;
  /** Whether the request comes from the pages or the server of a separate portal, as far as its headers say. */
  fromPortal(): boolean;
  /** Value of a cookie the client sent. */
  cookie(name: string): string | null;
  /** The names of all cookies that the client sent. */
  cookieNames(): readonly string[];
  /** The caller; null without a valid credential. Looked up on first use, and again if that was over a second ago. */
  caller(): Promise<Caller | null>;
  /** The answers of the tRPC batch that this request is; null for any other request. */
  readonly batch: Batch | null;
  /** Cookies to set with the response. */
  readonly outgoingCookies: CookieChange[];
  /** Calls `done` once the response has been sent or the connection is closed; at once if there is no response. */
  onFinished(done: () => void): void;
}

/** The context of a call by an account that is signed in and active. */
export type AccountContext = Context & { readonly account: Caller };

interface Contents {
  readonly files: { readonly name: string; readonly sha256: string }[];
  readonly text: string | null;
}

/** An item, whether it is over for visitors, and where it is counted how often it is opened. */
interface Counted {
  readonly item: Content;
  readonly over: boolean;
  readonly in: CountedIn;
}

/** What can be done with an item of a kind. */
export interface ItemActions {
  /** Deletes an item and everything that belongs to it; 404 if it is already gone. */
  remove(app: Services, item: { readonly id: number }): Promise<void>;
  /** Tells the webhook of its owner that it went into the trash; true if there is something to deliver. */
  announceRemoval(app: Services, trx: Queryable, item: Pick<Content, 'id' | 'ownerId'>): Promise<boolean>;
  /** Queues what was not done with it while it was in quarantine. */
  released(app: Services, trx: Queryable, id: number): Promise<void>;
  /** What is in it, for its owner: files by their hash, or a text. Nothing of a paste that can be read once. */
  contents(ctx: Context, id: number): Promise<Contents>;
  /** What people know it by; null if it has no such name, 404 if it is gone. */
  nameOf(app: Services, uniqueId: string): Promise<string | null>;
  /** Refuses an address that ends in an extension (`jpg`) unless it is that of the item. */
  checkExtension(app: Services, uniqueId: string, extension: string): Promise<void>;
  /** Bytes of its long text, all of whose words every change makes findable again; 404 if it is gone. */
  textBytes(app: Services, uniqueId: string): Promise<number>;
  /** The item with this id, even if it is over, and its counts; 404 if there is none. */
  counted(app: Services, uniqueId: string): Promise<Counted>;
}
