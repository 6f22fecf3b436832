/** Messages from the domain to connected clients. Implemented in `server/runtime/ws/`. */

/** A small message about an event, as JSON; listeners read the details from the database. */
export type HubMessage = Readonly<Record<string, string | number>>;

/** Notifies listeners in every process of an event. */
export interface Hub {
  /** Notifies all listeners of a topic; never waits and never throws. Call it after the commit. */
  publish(topic: string, message: HubMessage): void;
  /** Calls `listener` for each message on a topic from now on; returns a function that unsubscribes. */
  subscribe(topic: string, listener: (message: HubMessage) => void): () => void;
}

/** New mail in the mailbox with this address (lower case): `{mailId}`. */
export const mailTopic = (address: string): string => `mail:${address}`;

/** The state or the end of the mailbox with this address (lower case) changed: `{}`. */
export const mailboxTopic = (address: string): string => `mailbox:${address}`;

/** For the open page with this id: the message to send to it. */
export const liveTopic = (id: string): string => `live:${id}`;

/** The account with this id is verified: `{}`. */
export const verifiedTopic = (userId: number): string => `verified:${userId}`;

/** Of the wall of the request with this row id: `{fileId}` for a file that came or went, `{}` if its fields changed. */
export const wallTopic = (requestId: number): string => `wall:${requestId}`;
