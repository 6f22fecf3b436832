import type { VisitCount } from '../../../db/statistics/visit-days.js';
import type { Kind } from '../kinds.js';

/** Who opens something, as far as statistics ask. */
export interface Opening {
  readonly userAgent: string | null;
  readonly address: string;
  /** The `Referer` header. */
  readonly referrer: string | null;
  /** A browser fetches it ahead of its reader. */
  readonly prefetch: boolean;
}

/**
 * Counts how often items are opened, by day. Counts are gathered in memory and stored soon, with others, never while a
 * request waits; a killed process loses those of its last seconds.
 */
export interface Views {
  /** Counts one view of an item, by its row id. */
  note(kind: Kind, id: number, opening: Opening): void;
  /** Counts visits of links that are stored already, among what their owners' items were opened. */
  noteVisits(visits: readonly VisitCount[]): void;
  /** Stores what was counted so far, so that it can be read. */
  flush(): Promise<void>;
}
