import type { Identity } from '../../../db/account/credential.js';

/** When and from where keys were last used. */
export interface KeyUses {
  /** Notes the use of a key; it is stored soon, with others, and never while the request waits. */
  note(identity: Identity, address: string): void;
  /** Stores what was noted so far, so that it can be read. */
  flush(): Promise<void>;
}
