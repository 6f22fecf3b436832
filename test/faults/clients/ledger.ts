/** Visits of a link: those sent, and those answered with the address. */
export interface LinkVisits {
  sent: number;
  answered: number;
  readonly maxUses: number | null;
}

/** An upload that is sent in parts, by one caller at a time. */
export interface PartialUpload {
  readonly path: string;
  readonly bytes: Buffer;
  /** Bytes whose arrival was acknowledged. */
  acknowledged: number;
  /** Bytes sent so far, which may have arrived. */
  sent: number;
  busy: boolean;
}

/** A text that is set repeatedly, by one caller at a time. */
export interface Setting {
  /** The last acknowledged value. */
  held: string | null;
  /** Values sent since then and not acknowledged: they may be stored as well. */
  sent: string | null;
}

/** What a server has promised so far, from the view of its clients. A promise is a successful answer. */
export class Ledger {
  /** Uploads that must exist: id to SHA-256 of the bytes that are served. */
  readonly uploads = new Map<string, string>();
  /** Uploads in parts that must continue where they were. */
  readonly partial = new Set<PartialUpload>();
  /** Playlists that must exist: id to the ids of their images. */
  readonly playlists = new Map<string, readonly string[]>();
  /** Pastes that must exist: id to text. */
  readonly pastes = new Map<string, string>();
  /** Items whose deletion was acknowledged, as the path that must answer 404. */
  readonly gone = new Set<string>();
  /** Links that must exist. */
  readonly links = new Map<string, LinkVisits>();
  /** Settings of the owner by their names. */
  readonly settings = new Map<string, Setting>();
  /** Invite codes that must exist, unused. */
  readonly invites = new Set<string>();
  /** Accounts that must exist: name to the invite that was used. */
  readonly accounts = new Map<string, string>();
  /** The number of all acknowledgements, for the summary. */
  acknowledged = 0;
}
