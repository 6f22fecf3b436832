import type { Happening, ToldOf } from '../../../db/content/told/told.js';
import type { Kind } from '../kinds.js';
import type { Opening } from './views.js';

/** Something that was opened, and whose it is. */
export interface Opened extends ToldOf {
  readonly ownerId: number;
  /** What kind of thing it is; of a share link, what it opens. */
  readonly of: Kind | 'collection';
}

/** What opens something, as far as it matters whether it is a person. */
export type OpenedBy = Pick<Opening, 'userAgent' | 'prefetch'>;

/** Asks which account opens something. */
export type WhoOpens = () => Promise<number | null>;

/**
 * Gathers what owners are told about: that people opened something of theirs, never bots nor themselves. It is planned
 * soon, with others, never while a request waits; a killed process loses those of its last seconds.
 */
export interface Openings {
  /** Notes an opening; `who` is null for somebody without an account. */
  note(opened: Opened, opening: OpenedBy, who: WhoOpens | null): void;
  /** What is to be told of an opening that deletes what is opened; the transaction that deletes it plans that. */
  last(opened: Opened, opening: OpenedBy, who: WhoOpens | null): Promise<readonly Happening[]>;
  /** Plans what was gathered so far. */
  flush(): Promise<void>;
}
