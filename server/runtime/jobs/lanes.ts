import type { JobKind } from '../../../routers/base/ports/jobs.js';

/** Concurrent jobs per lane. Jobs that wait for the same resource share a lane, so that they do not block others. */
export const LANES = {
  /** Users wait for these. */
  mail: 4,
  /** Their senders wait for these, too. */
  uploads: 4,
  /** Downloads attachments from the provider. */
  arrivals: 4,
  /** Mails that mailboxes send on; a mass of them must not delay those that users wait for. */
  forwards: 2,
  /** Calls the chat application. */
  chat: 2,
  /** Calls third-party servers. */
  webhooks: 4,
  /** Decoding; many uploads create many of these. */
  media: 2,
  /** Reads files for searches, for which nobody waits. */
  words: 1,
  /** Long-running deletions in the database. */
  removals: 2,
} as const;

/** Where a job waits for its turn. */
export type LaneName = keyof typeof LANES;

/** The lane of each kind of job. */
export const LANE_OF: { readonly [K in JobKind]: LaneName } = {
  mail: 'mail',
  telling: 'mail',
  passwordReset: 'mail',
  mailArrival: 'arrivals',
  mailForward: 'forwards',
  chatRevoke: 'chat',
  upload: 'uploads',
  webhook: 'webhooks',
  poster: 'media',
  thumbhash: 'media',
  words: 'words',
  olderWords: 'words',
  forgetWords: 'removals',
  dropWords: 'removals',
  accountDeletion: 'removals',
  visitRemoval: 'removals',
  viewRemoval: 'removals',
  importRemoval: 'removals',
};
