/** What the domain needs to call the webhooks of its users. `server/outbound/` supplies it. */
import type { Kind } from '../../db/content.js';
import type { EmbedSettings } from '../embed-settings.js';

/** Events a user's webhook can be told about (contract §3, webhook settings). */
export const webhookEventTypes = [
  'image.created',
  'image.deleted',
  'paste.created',
  'url.created',
  'url.exhausted',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** How the message to a webhook is written. */
export const webhookFormats = ['discord', 'slack', 'json'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** One thing that happened; built once, sent again unchanged on each retry. */
export interface WebhookEvent {
  /** The same on each retry, so that the receiver can drop repeats. */
  readonly id: string;
  /** `webhook.test` when the owner asked for a call to see whether it arrives. */
  readonly type: WebhookEventType | 'webhook.test';
  /** Epoch milliseconds. */
  readonly at: number;
  readonly item: {
    readonly kind: Kind;
    readonly uniqueId: string;
    /** The item's page. */
    readonly link: string;
    readonly title: string | null;
    /** Bytes. */
    readonly size: number | null;
    readonly filetype: string | null;
    /** A picture for the message; null for everything that is not open to everybody. */
    readonly imageUrl: string | null;
    /** Short links only. */
    readonly visits: number | null;
    /** Short links only; -1 = unlimited. */
    readonly maxUses: number | null;
  };
  readonly uploader: { readonly uid: number; readonly username: string; readonly avatar: string };
}

/** Where to and how. */
export interface WebhookTarget {
  readonly url: string;
  readonly format: WebhookFormat;
  /** Signs the `json` format; null = unsigned. */
  readonly secret: string | null;
  readonly embed: EmbedSettings | null;
}

/** What the receiver answered, whatever the status. */
export interface WebhookReceipt {
  readonly status: number;
  /** True for 2xx. */
  readonly ok: boolean;
  /** The receiver's `Retry-After` in seconds, or null. */
  readonly retryAfterSeconds: number | null;
  /** The start of the answer's body, for the delivery log. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/** Calls user-given URLs, which may reach public addresses and the operator's allow list only. */
export interface Webhooks {
  /** Why this URL cannot be called as things are, as a short public text; null when it may be tried. */
  refusal(url: string): Promise<string | null>;
  /** Throws `OutboundRefused` (for good) or `OutboundFailed` (try again). */
  deliver(target: WebhookTarget, event: WebhookEvent): Promise<WebhookReceipt>;
}

/** The URL may not be called: its form, or the address it leads to. `message` may be shown to its owner. */
export class OutboundRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboundRefused';
  }
}

/** No answer: unreachable, too slow, or broken off. `message` may be shown to the URL's owner. */
export class OutboundFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutboundFailed';
  }
}
