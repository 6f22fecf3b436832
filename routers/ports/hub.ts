/** Messages from the domain to whoever is connected right now. `server/ws/` supplies the hub. */

/** A small note of what happened; listeners read the rest from the database. JSON. */
export type HubMessage = Readonly<Record<string, string | number>>;

/** Tells listeners, in every process, that something happened. */
export interface Hub {
  /** Tells everybody who listens to a topic; never waits and never throws. Call it after the commit. */
  publish(topic: string, message: HubMessage): void;
  /** Calls `listener` for each message on a topic from now on; returns how to stop. */
  subscribe(topic: string, listener: (message: HubMessage) => void): () => void;
}

/** New mail in the mailbox with this address (lower case): `{mailId}`. */
export const mailTopic = (address: string): string => `mail:${address}`;

/** The account with this number is verified: `{}`. */
export const verifiedTopic = (userId: number): string => `verified:${userId}`;
