/** What the domain needs to call its users' webhooks. Implemented in `server/drivers/outbound/`. */

import type { Readable } from 'node:stream';
import type { EmbedSettings } from '../embed-settings.js';
import { type EventOf, KIND_NAMES, KINDS, type Kind } from '../kinds.js';
import { ENGLISH } from '../language/i18n.js';
import { asLocalizable, type Localizable } from '../language/localizable.js';

/** Events that are sent to a user's webhook (contract §3, webhook settings). */
export type WebhookEventType = EventOf<Kind> | keyof typeof OTHER_EVENTS;

/** The events that are about no kind of item, with their headlines. */
export const OTHER_EVENTS = {
  'request.received': 'File received',
  'mail.received': 'Mail received',
  'collection.opened': 'Collection opened',
} as const;

/** The events that are sent only where a webhook names them, or where a rule or `notify` asks for it. */
export const NAMED_EVENTS: ReadonlySet<WebhookEventType> = new Set<WebhookEventType>([
  ...(['mail.received', 'collection.opened'] as const),
  ...KINDS.map((kind) => KIND_NAMES[kind].openedEvent),
]);

/** Every event that a webhook can ask for. */
export const webhookEventTypes: readonly WebhookEventType[] = [
  ...KINDS.flatMap(
    (kind): readonly WebhookEventType[] => Object.keys(KIND_NAMES[kind].events) as WebhookEventType[],
  ),
  ...(Object.keys(OTHER_EVENTS) as (keyof typeof OTHER_EVENTS)[]),
];

/** Message formats of webhooks. */
export const webhookFormats = ['discord', 'slack', 'json', 'ntfy', 'gotify', 'apprise'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
/** Those that make a telephone ring: what comes in there together is one message. */
export const PUSH_FORMATS: ReadonlySet<string | null> = new Set(['ntfy', 'gotify', 'apprise']);

/** An event; built once and resent unchanged on each retry. */
export interface WebhookEvent {
  /** The same on each retry, so that the receiver can drop duplicates. */
  readonly id: string;
  /** `webhook.test` for a test call requested by the owner. */
  readonly type: WebhookEventType | 'webhook.test';
  /** Epoch milliseconds. */
  readonly at: number;
  /** A rule of the account asks for it, whether or not the webhook names such events. */
  readonly asked?: boolean;
  readonly item: {
    readonly kind: Kind | 'collection' | 'mail' | 'request';
    readonly uniqueId: string;
    /** The item's page. */
    readonly link: string;
    readonly title: string | null;
    /** Bytes. */
    readonly size: number | null;
    readonly filetype: string | null;
    /** An image for the message; null unless the item is open to everybody. */
    readonly imageUrl: string | null;
    /** Short links only. */
    readonly visits: number | null;
    /** Short links only; -1 = unlimited. */
    readonly maxUses: number | null;
    /** Mails only: the one-time codes in it. */
    readonly codes?: readonly string[];
    /** Of what is told together: how often it happened, and the label of the share link that was opened. */
    readonly times?: number;
    readonly label?: string | null;
  };
  readonly uploader: { readonly uid: number; readonly username: string; readonly avatar: string };
}

/** Destination and format of a webhook. */
export interface WebhookTarget {
  readonly url: string;
  readonly format: WebhookFormat;
  /** Signs the `json` format, and is the token of `ntfy` and `gotify`; null for none. */
  readonly secret: string | null;
  readonly embed: EmbedSettings | null;
}

/** The receiver's response, whatever the status. */
export interface WebhookReceipt {
  readonly status: number;
  /** True for 2xx. */
  readonly ok: boolean;
  /** The receiver's `Retry-After` in seconds, or null. */
  readonly retryAfterSeconds: number | null;
  /** The start of the response body, for the delivery log. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/** Calls user-given URLs, which may only reach public addresses and the operator's allow list. */
export interface Webhooks {
  /** Why this URL cannot be called at present, as a short public text; null if it may be tried. */
  refusal(url: string): Promise<string | null>;
  /** Throws `OutboundRefused` (permanent) or `OutboundFailed` (retry). */
  deliver(target: WebhookTarget, event: WebhookEvent): Promise<WebhookReceipt>;
}

/** A file that another server sends. */
export interface FetchedFile {
  readonly body: Readable;
  /** Bytes, if the other server says it. */
  readonly size: number | null;
  readonly contentType: string | null;
  readonly filename: string | null;
}

/** Fetches files from user-given URLs, which may only reach public addresses and the operator's allow list. */
export interface FileFetcher {
  /**
   * Fetches a file while `use` reads it; throws `OutboundRefused` or `OutboundFailed`, whose text may be shown, and what
   * `use` throws. Ends when the signal is aborted.
   */
  fetch<T>(url: string, signal: AbortSignal, use: (file: FetchedFile) => Promise<T>): Promise<T>;
}

/** The URL must not be called because of its form or address. `message` may be shown to its owner. */
export class OutboundRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundRefused';
  }
}

/** No response: unreachable, too slow, or aborted. `message` may be shown to the URL's owner. */
export class OutboundFailed extends Error {
  readonly localizable: Localizable;

  constructor(message: string | Localizable) {
    const localizable = asLocalizable(message);
    super(ENGLISH.translate(localizable));
    this.localizable = localizable;
    this.name = 'OutboundFailed';
  }
}
