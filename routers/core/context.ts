import type { Db } from '../../db/engine/connect.js';
import type { Loaders } from '../../db/loaders.js';
import type { CookieChange } from '../base/cookies.js';
import type { Kind } from '../base/kinds.js';
import type { Language } from '../base/language/languages.js';
import type { Archives } from '../base/ports/archives.js';
import type { Background } from '../base/ports/background.js';
import type { Challenge, ChallengedAction } from '../base/ports/challenge.js';
import type { ChatServices } from '../base/ports/chat.js';
import type { Highlight } from '../base/ports/highlight.js';
import type { ReadHost } from '../base/ports/host.js';
import type { Hub } from '../base/ports/hub.js';
import type { Jobs } from '../base/ports/jobs.js';
import type { KeyUses } from '../base/ports/key-uses.js';
import type { Limits } from '../base/ports/limits.js';
import type { Log } from '../base/ports/log.js';
import type { MailServices } from '../base/ports/mail.js';
import type { RenderMarkdown } from '../base/ports/markdown.js';
import type { Media } from '../base/ports/media.js';
import type { OidcProvider } from '../base/ports/oidc.js';
import type { FileFetcher, Webhooks } from '../base/ports/outbound.js';
import type { RefusedMails } from '../base/ports/refused-mails.js';
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
import type { Opening, Views } from '../base/ports/views.js';
import type { Visits } from '../base/ports/visits.js';
import type { Probe } from '../base/probe.js';
import type { Role } from '../base/roles.js';
import type { TypeRules } from '../base/text/media-types.js';
import type { ItemActions } from './items/actions.js';
import type { Creations } from './items/creations.js';

/** A way to sign in. */
export type SignInWay = 'password' | 'passkey' | 'oidc';

/** The part of the configuration that the domain needs. */
export interface Settings {
  /** Scheme and host of every link; no trailing slash. */
  readonly origin: string;
  /** `{origin}/v1`. */
  readonly baseUrl: string;
  readonly frontendUrl: string | null;
  /** Origins of front ends that may call with credentials. */
  readonly corsOrigins: readonly string[];
  /** Those, and the origin of the portal: who may embed what is not open to everybody. */
  readonly frontEnds: readonly string[];
  /** Whether browsers keep our cookies back when another site leads them here. */
  readonly strictCookies: boolean;
  /** The domain of new receiving addresses, after the @. */
  readonly mailDomain: string;
  /** All domains of receiving addresses. */
  readonly mailDomains: readonly string[];
  /** The address mails are sent from, in lower case. */
  readonly mailSender: string;
  /** Where the short links of each kind begin; null at `/r`. */
  readonly shortUrls: Readonly<Record<Kind, string | null>>;
  readonly registration: 'invite' | 'closed' | 'open';
  /** The language of who asks for none. */
  readonly language: Language;
  /** The ways to sign in that are offered. */
  readonly signIn: readonly SignInWay[];
  /** Whether open content is fetched directly from the object store. */
  readonly s3Redirect: boolean;
  readonly maxUploadBytes: number;
  /** The types of files that are accepted. */
  readonly uploadTypes: TypeRules;
  /** How long items live, in days: at most, and unless their creator says otherwise; null for without end. */
  readonly lives: { readonly maxExpiryDays: number | null; readonly defaultExpiryDays: number | null };
  /** Whether mailboxes are made for people without an account, who solve a challenge. */
  readonly guestMailboxes: boolean;
  /** What people without an account have to solve a challenge for. */
  readonly challengeFor: readonly ChallengedAction[];
  /** How long its owner can restore a deleted item; 0 deletes at once. */
  readonly trashDays: number;
  /** How much renditions may take together; null for any amount. */
  readonly maxRenditionBytes: number | null;
  readonly version: string;
  /** When this process started, epoch milliseconds. */
  readonly startedAt: number;
}

/** Where content is. */
export interface StorageServices {
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
  readonly settings: Settings;
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
  /** What can be done with an item of each kind. */
  readonly items: Readonly<Record<Kind, ItemActions>>;
  readonly creations: Creations;
  /** Whether what every request needs works. */
  readonly probes: { readonly database: Probe; readonly storage: Probe };
  /** Where this process is in its life; `stopping` as soon as it was told to stop. */
  readonly phase: { stopping: boolean };
  readonly log: Log;
}

/** The authenticated account of a request. */
export interface Caller {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly active: boolean;
  /** What the account has chosen for pages and mails; null: as its browser asks. */
  readonly language: Language | null;
  /** Whether a webhook receives this account's events. */
  readonly hasWebhook: boolean;
  /** Until when it may only read, epoch milliseconds or null for no end; null if it was never paused. */
  readonly pause: { readonly until: number | null } | null;
  /** Set if the credential was a session, not a key. */
  readonly sessionId: number | null;
  /** Set if the credential was a key. */
  readonly key: CallerKey | null;
}

/** The key that a request came with. */
export interface CallerKey {
  readonly id: number;
  /** The key that an account has from its beginning; others have a name and are shown only once. */
  readonly isMain: boolean;
  /** The names of what it may do; null for everything that the account may do. */
  readonly scopes: readonly string[] | null;
  /** Whether it opens items with a stranger's rights only: it reads on behalf of a portal's visitor. */
  readonly asVisitor: boolean;
  /** Whether it may only add things, such as the key in the configuration of an upload tool. */
  readonly createOnly: boolean;
}

/** The credentials of a request. */
export interface Credentials {
  readonly apiKey: string | null;
  /** What `Authorization` holds, which may be no key of ours; used only without a header or a live session. */
  readonly authorized: readonly string[];
  /** The cookies `session_token`: several if some were set for another domain or by something else. Where none counts, there are none. */
  sessionTokens: readonly string[];
  /** A form field `key`; used only without any of the others. */
  formKey: string | null;
}

/** The calls of one batch, the sizes of their answers so far, and the memory already counted for them. */
export interface Batch {
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
