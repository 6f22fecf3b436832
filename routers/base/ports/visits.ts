/** The target of a counted visit, and whether previews show something else; or why it was refused. */
export type VisitOutcome =
  | {
      /** Its row, and whose it is. */
      readonly of: { readonly id: number; readonly ownerId: number };
      readonly url: string;
      readonly forwardQuery: boolean;
      readonly forwardPath: boolean;
      readonly previewed: boolean;
    }
  | 'MISSING'
  | 'LOCKED';

/** Counts visits exactly and durably. */
export interface Visits {
  /**
   * Counts and logs one visit of the link with this id (any case); resolves once that is durable. `LOCKED` if
   * the link is not open to everybody and its row id is not `unlocked`; `MISSING` if it is unknown, expired or used up;
   * neither is counted.
   */
  take(uniqueId: string, visitor: Visitor, unlocked: number | null): Promise<VisitOutcome>;
  /** The country of an address, as a code of two letters; null if it is not known. */
  countryOf(address: string | null): string | null;
}

/** A visitor, as the visit log keeps it. */
export interface Visitor {
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly referrerHost: string | null;
  /** A browser fetched the link ahead of its reader, who may never follow it. The log does not keep this. */
  readonly prefetch: boolean;
  /** What rules may ask besides, which is not kept: `Accept-Language`, and the query of the visit. */
  readonly language?: string | null;
  readonly query?: string | null;
}
