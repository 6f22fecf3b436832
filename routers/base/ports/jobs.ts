import type { WordSource } from '../../../db/content/file/words.js';
import type { Kind } from '../../../db/content/kinds.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { Language } from '../language/languages.js';
import type { InboundMail, OutgoingMail } from './mail/mail.js';
import type { WebhookEvent } from './outbound.js';

/** Every kind of job and its payload. The handlers are in `server/runtime/jobs/`. */
export interface JobPayloads {
  /** Sends one mail, with what makes it the same whenever it is sent (`queueMail`). */
  readonly mail: OutgoingMail & Required<Pick<OutgoingMail, 'messageId' | 'sentAt'>>;
  /** Stores a received mail whose attachments were not available from the provider yet. */
  readonly mailArrival: { readonly mail: InboundMail; readonly partialAfter: number };
  /** Sends a stored mail on to the target of its mailbox. */
  readonly mailForward: {
    readonly mailId: number;
    readonly target: string;
  } & Pick<OutgoingMail, 'messageId' | 'sentAt' | 'sendingId'>;
  /**
   * Mails a reset link to the account with this address, if there is one; in the language that was asked for, unless it
   * has chosen one. Jobs of earlier versions have no language.
   */
  readonly passwordReset: { readonly email: string; readonly language?: Language | null };
  /** Tells an account what is due: what was opened of it, and what came in. */
  readonly telling: { readonly userId: number };
  /** Deletes a deleted account's content and then the account, in batches. */
  readonly accountDeletion: { readonly userId: number };
  /** Deletes the visits of a deleted link, in batches. */
  readonly visitRemoval: { readonly urlId: number };
  /** Deletes the links of an import that was interrupted, in batches; none of one that ended. */
  readonly importRemoval: { readonly source: string };
  /** Deletes what was counted of the views of a deleted item, in batches. */
  readonly viewRemoval: { readonly kind: Kind; readonly itemId: number };
  /** Delivers an event to the webhook of an account. */
  readonly webhook: {
    readonly userId: number;
    readonly deliveryId: number;
    readonly event: WebhookEvent;
  };
  /** Revokes tokens at the chat application. */
  readonly chatRevoke: { readonly tokens: readonly string[] };
  /** Computes the placeholder of an image or a video's poster. */
  readonly thumbhash: { readonly imageId: number };
  /** Reads the words of a file for searches. */
  readonly words: { readonly imageId: number };
  /** Reads the words of files that were stored before that was done, one after another. */
  readonly olderWords: { readonly source: WordSource };
  /** Forgets words in pictures where they are not read any more. */
  readonly forgetWords: Readonly<Record<string, never>>;
  /** Drops what the index of searches has left of them. */
  readonly dropWords: Readonly<Record<string, never>>;
  /** Makes an item of an upload that has arrived in several requests. */
  readonly upload: { readonly uploadId: number };
  /** Makes the poster of a video that was not ready in time for its upload. */
  readonly poster: { readonly imageId: number };
}
export type JobKind = keyof JobPayloads;

interface JobOptions {
  /** Epoch milliseconds before which it does not run; immediately by default. */
  readonly runAt?: number;
  /** While a job with this key is queued, no other one with it is added. */
  readonly uniqueKey?: string;
}

/** Durable background work: queued in the transaction that causes it, run with retries, at least once. */
export interface Jobs {
  add<K extends JobKind>(
    trx: Queryable,
    kind: K,
    payload: JobPayloads[K],
    options?: JobOptions,
  ): Promise<void>;
  /** Checks for new jobs now; call it after the commit. Otherwise the queue is polled every two seconds. */
  kick(): void;
}
