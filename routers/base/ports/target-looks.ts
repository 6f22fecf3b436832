/** What a look at a target says: `unknown` if it may not be looked at, asks for permission or could not be asked. */
export const HEALTHS = ['ok', 'broken', 'unknown'] as const;
export type Health = (typeof HEALTHS)[number];

/** Looks at the targets of links. Implemented in `server/drivers/outbound/`. */
export interface TargetLooks {
  /** Asks at most once a second a host, by its robots.txt; never throws. */
  look(url: string): Promise<Health>;
}
