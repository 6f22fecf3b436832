import type { Queryable } from '../../db/connect.js';
import type { InboundMail, OutgoingMail } from './mail.js';
import type { WebhookEvent } from './outbound.js';

/** Every kind of job and its payload. The handlers are in `server/jobs/`. */
export interface JobPayloads {
  /** Sends one mail. */
  readonly mail: OutgoingMail;
  /** Stores a received mail whose files the provider did not hand out yet. */
  readonly mailArrival: { readonly mail: InboundMail; readonly partialAfter: number };
  /** Mails a reset link to the account with this address, if there is one. */
  readonly passwordReset: { readonly email: string };
  /** Removes a deleted account's content and the account, some of it at a time. */
  readonly accountDeletion: { readonly userId: number };
  /** Removes the visits of a deleted link, some of them at a time. */
  readonly visitRemoval: { readonly urlId: number };
  /** Tells the webhook of an account of an event. */
  readonly webhook: {
    readonly userId: number;
    readonly deliveryId: number;
    readonly event: WebhookEvent;
  };
  /** Ends tokens at the chat application. */
  readonly chatRevoke: { readonly tokens: readonly string[] };
  /** Computes the placeholder of an image or a video's poster. */
  readonly thumbhash: { readonly imageId: number };
  /** Makes the poster of a video whose upload could not wait for it. */
  readonly poster: { readonly imageId: number };
}
export type JobKind = keyof JobPayloads;

/** How a job is queued. */
export interface JobOptions {
  /** Epoch milliseconds before which it does not run; at once by default. */
  readonly runAt?: number;
  /** While a job with this key waits, another one with it is not added. */
  readonly uniqueKey?: string;
}

/** Durable work behind requests: queued in the transaction that causes it, run with retries, at least once. */
export interface Jobs {
  add<K extends JobKind>(
    trx: Queryable,
    kind: K,
    payload: JobPayloads[K],
    options?: JobOptions,
  ): Promise<void>;
  /** Looks now for jobs that were added lately; call it after the commit. Everything due is looked for every two seconds. */
  kick(): void;
}
