import type { Db } from '../db/connect.js';
import type { Loaders } from '../db/loaders.js';
import type { CookieChange } from './cookies.js';
import type { Archives } from './ports/archives.js';
import type { ChatApp, Messenger } from './ports/chat.js';
import type { Hub } from './ports/hub.js';
import type { Jobs } from './ports/jobs.js';
import type { Limits } from './ports/limits.js';
import type { CheckMail, InboundMailReader, MailStore, MailTransport, SanitiseMail } from './ports/mail.js';
import type { Mails } from './ports/mail-templates.js';
import type { Media } from './ports/media.js';
import type { Webhooks } from './ports/outbound.js';
import type { ItemPasswords, Passwords, Secrets } from './ports/secrets.js';
import type { ConcurrencyLimit, MemoryBudget, SingleFlight } from './ports/sharing.js';
import type { BlobStore, HeldBytes } from './ports/storage.js';
import type { Role } from './roles.js';

/** What the domain must know of the configuration. */
export interface Settings {
  /** Scheme and host of every link; no trailing slash. */
  readonly origin: string;
  /** `{origin}/v1`. */
  readonly baseUrl: string;
  readonly frontendUrl: string | null;
  /** Origins of front ends that may call with credentials. */
  readonly corsOrigins: readonly string[];
  /** What stands after the @ of receiving addresses. */
  readonly mailDomain: string;
  /** The address mails are sent from, in lower case. */
  readonly mailSender: string;
  readonly shortUrls: {
    readonly image: string | null;
    readonly paste: string | null;
    readonly url: string | null;
  };
  readonly registration: 'invite' | 'closed' | 'open';
  /** Open content is fetched from the object store directly. */
  readonly s3Redirect: boolean;
  readonly maxUploadBytes: number;
  readonly version: string;
  /** Epoch milliseconds of this process's start. */
  readonly startedAt: number;
}

/** How a visit was granted, or why not. */
export type VisitOutcome = { readonly originalUrl: string } | 'MISSING' | 'LOCKED';

/** Counts visits exactly and durably. */
export interface Visits {
  /**
   * Counts and logs one visit of the link with this id (any case), once it is durable. `LOCKED` when the link
   * has a password and is not the one that is `unlocked`, by its number; `MISSING` when unknown, expired or used up; both uncounted.
   */
  take(uniqueId: string, visitor: Visitor, unlocked: number | null): Promise<VisitOutcome>;
}

/** Who came, as the visit log keeps it. */
export interface Visitor {
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly referrerHost: string | null;
}

/** Log lines of the domain. */
export interface Log {
  info(details: object, text: string): void;
  warn(details: object, text: string): void;
  error(details: object, text: string): void;
}

/** Everything that lives as long as the process. */
export interface Services {
  readonly settings: Settings;
  readonly db: Db;
  readonly load: Loaders;
  readonly blobs: BlobStore;
  /** The bytes of a small stored blob from memory; null for those that are read from the store. */
  heldBytes(sha256: string, size: number): Promise<HeldBytes | null>;
  readonly media: Media;
  readonly archives: Archives;
  readonly singleFlight: SingleFlight;
  /** As `singleFlight`, but the result is kept for two seconds more. For few keys. */
  readonly cachedBriefly: SingleFlight;
  /** For statistics of the whole site: expensive, and anonymous callers may ask for some, so few run at once. */
  readonly statisticsLimit: ConcurrencyLimit;
  /** For renditions, before their picture is fetched: a bucket lends copies, and anybody may ask for many at once. */
  readonly renditionLimit: ConcurrencyLimit;
  /** For answers that may be large, which anybody may ask for, many in one request; see `holdAnswer`. */
  readonly answerMemory: MemoryBudget;
  /** For building those of them that take long; see `buildAnswer`. */
  readonly largeAnswerLimit: ConcurrencyLimit;
  /** For mails that are sent whole, with what is attached to them. */
  readonly mailMemory: MemoryBudget;
  readonly mail: MailTransport;
  readonly mails: Mails;
  readonly checkMail: CheckMail;
  readonly inboundMail: InboundMailReader;
  /** Null when the provider stores nothing for us. */
  readonly mailStore: MailStore | null;
  readonly sanitiseMail: SanitiseMail;
  readonly hub: Hub;
  readonly webhooks: Webhooks;
  /** Null when none is configured. */
  readonly chatApp: ChatApp | null;
  /** Null when none is configured. */
  readonly messenger: Messenger | null;
  readonly jobs: Jobs;
  readonly passwords: Passwords;
  readonly itemPasswords: ItemPasswords;
  readonly secrets: Secrets;
  readonly limits: Limits;
  readonly visits: Visits;
  readonly log: Log;
}

/** A signed-in account behind a request. */
export interface Caller {
  readonly id: number;
  readonly username: string;
  readonly role: Role;
  readonly active: boolean;
  /** A webhook is told of what this account makes. */
  readonly hasWebhook: boolean;
  /** Set when a session, not a key, was shown. */
  readonly sessionId: number | null;
}

/** What a request shows to prove who sends it. */
export interface Credentials {
  readonly apiKey: string | null;
  readonly sessionToken: string | null;
  /** A form field `key`; counts when neither header nor cookie is there. */
  formKey: string | null;
}

/** One request, as the domain sees it. */
export interface Context {
  readonly app: Services;
  /** Where the request came from, for logs, sessions and the audit log. */
  readonly address: string;
  /** What rate limits use instead of `address`: all addresses of one network count as one caller. */
  readonly network: string;
  readonly userAgent: string | null;
  readonly credentials: Credentials;
  /** Value of a cookie the client sent. */
  cookie(name: string): string | null;
  /** Who is calling; null without a valid credential. Looked up on first use, and anew once that is a second ago. */
  caller(): Promise<Caller | null>;
  /** Cookies the answer will carry. */
  readonly outgoingCookies: CookieChange[];
  /** Calls `done` once the answer has been sent or its connection is gone; at once where there is none. */
  whenOver(done: () => void): void;
}
