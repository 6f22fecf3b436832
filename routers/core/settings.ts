import type { Kind } from '../base/kinds.js';
import type { Language } from '../base/language/languages.js';
import type { ChallengedAction } from '../base/ports/challenge.js';
import type { TypeRules } from '../base/text/media-types.js';

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
  /** Where mail is received by SMTP, and whether encrypted; null if it is not. */
  readonly smtp: { readonly port: number; readonly tls: boolean } | null;
  /** The address mails are sent from, in lower case. */
  readonly mailSender: string;
  /** Where the short links of each kind begin; null at `/r`. */
  readonly shortUrls: Readonly<Record<Kind, string | null>>;
  /** Whether accounts have hosts of their own for their links: never, once an administrator approves, or once proven. */
  readonly domains: 'off' | 'approval' | 'open';
  readonly registration: 'invite' | 'closed' | 'open' | 'approval';
  /** The language of who asks for none. */
  readonly language: Language;
  /** The ways to sign in that are offered. */
  readonly signIn: readonly SignInWay[];
  /** The languages in which words in pictures are read; none if they are not read. */
  readonly ocr: readonly string[];
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
  /** Whether everything begins anew each hour, and nothing is sent or fetched. */
  readonly demo: boolean;
  readonly version: string;
  /** When this process started, epoch milliseconds. */
  readonly startedAt: number;
}
