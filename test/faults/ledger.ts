/** Visits of a link that were sent and those that were answered with the address. */
export interface LinkVisits {
  sent: number;
  answered: number;
  readonly maxUses: number | null;
}

/** A text that is set again and again, by one caller at a time. */
export interface Setting {
  /** What was acknowledged last. */
  held: string | null;
  /** What was sent since and not acknowledged: it may be there as well. */
  sent: string | null;
}

/** What a server has promised so far, as its clients saw it. A promise is an answer that says success. */
export class Ledger {
  /** Uploads that must be there: id to SHA-256 of the bytes that are served. */
  readonly uploads = new Map<string, string>();
  /** Playlists that must be there: id to the ids of their images. */
  readonly playlists = new Map<string, readonly string[]>();
  /** Pastes that must be there: id to text. */
  readonly pastes = new Map<string, string>();
  /** Items whose deletion was acknowledged, as the path that must answer 404. */
  readonly gone = new Set<string>();
  /** Links that must be there. */
  readonly links = new Map<string, LinkVisits>();
  /** Settings of the owner by their names. */
  readonly settings = new Map<string, Setting>();
  /** Invite codes that must be there, unused. */
  readonly invites = new Set<string>();
  /** Accounts that must be there: name to the invite that it has used. */
  readonly accounts = new Map<string, string>();
  /** Everything that was acknowledged, for the summary. */
  acknowledged = 0;
}
