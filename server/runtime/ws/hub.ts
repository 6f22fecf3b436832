import type { Hub, HubMessage } from '../../../routers/base/ports/hub.js';
import type { Logger } from '../logger.js';

type Listener = (message: HubMessage) => void;

/** Passes messages between processes; see `relay.ts`. */
export interface Relay {
  /** Sends a message to the other processes. */
  send(topic: string, message: HubMessage): void;
  /** Starts receiving their messages. */
  listen(deliver: (topic: string, message: HubMessage) => void): void;
  pause(): void;
}

/** The hub of this process; with a relay it also reaches the other processes. */
export function createHub(log: Logger, relay: Relay | null): Hub {
  const topics = new Map<string, Set<Listener>>();

  const deliver = (topic: string, message: HubMessage): void => {
    for (const listener of topics.get(topic) ?? []) {
      try {
        listener(message);
      } catch (error) {
        log.error({ err: error, topic: topic.split(':', 1)[0] }, 'a listener failed');
      }
    }
  };

  return {
    publish: (topic, message) => {
      deliver(topic, message);
      relay?.send(topic, message);
    },
    subscribe: (topic, listener) => {
      const listeners = topics.get(topic) ?? new Set();
      if (topics.size === 0) relay?.listen(deliver);
      topics.set(topic, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || topics.get(topic) !== listeners) return;
        topics.delete(topic);
        if (topics.size === 0) relay?.pause();
      };
    },
  };
}
