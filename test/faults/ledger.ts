/** What a server has promised so far, as its clients saw it. A promise is an answer that says success. */
export class Ledger {
  /** Uploads that must be there: id to SHA-256 of the bytes. */
  readonly uploads = new Map<string, string>();
  /** Pastes that must be there: id to text. */
  readonly pastes = new Map<string, string>();
  /** Items whose deletion was acknowledged, as the path that must answer 404. */
  readonly gone = new Set<string>();
  /** Links, with the visits that were sent and those that were answered. */
  readonly links = new Map<string, { sent: number; answered: number; readonly maxUses: number | null }>();
  /** Everything that was acknowledged, for the summary. */
  acknowledged = 0;
}
