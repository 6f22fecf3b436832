import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/connect.js';
import { hubNotesAfter, insertHubNote, lastHubNote } from '../../db/hub-note.js';
import type { Logger } from '../logger.js';
import type { Relay } from './hub.js';

const POLL_MS = 500;
const FORGET_MS = 60_000;
const BATCH = 1_000;
/** Notes of simultaneous transactions become visible out of order; so many numbers are looked at again. */
const OVERLAP = 200;
/** A note that was there already when listening began is passed on when it was sent this little before. */
const JUST_BEFORE_MS = 2_000;

/**
 * Passes messages between the processes that share a database, within half a second. The database is asked only
 * while somebody listens.
 */
export function createRelay(db: Db, log: Logger): Relay {
  const sender = randomUUID();
  let stop: (() => void) | null = null;

  const warn = (error: unknown) => log.warn({ err: error }, 'messages between processes are delayed');

  return {
    send: (topic, message) => {
      const note = { sender, topic, message: JSON.stringify(message) };
      const at = Date.now();
      db.write((trx) => insertHubNote(trx, note, at, FORGET_MS)).catch(warn);
    },
    listen: (deliver) => {
      const since = Date.now() - JUST_BEFORE_MS;
      let newest: number | null = null;
      let seen = new Set<number>();
      let polling = false;
      let over = false;
      const poll = async (): Promise<void> => {
        const first = newest === null;
        const from: number = newest ?? (await lastHubNote(db.read));
        const notes = await hubNotesAfter(db.read, from - OVERLAP, BATCH);
        if (over) return;
        newest = from;
        for (const { id, topic, message, ...note } of notes) {
          if (seen.has(id)) continue;
          seen.add(id);
          newest = Math.max(newest, id);
          // What appears later is new whatever its date says: clocks of machines differ.
          if (note.sender === sender || (first && note.sentAt < since)) continue;
          deliver(topic, JSON.parse(message));
        }
        const oldest = newest - OVERLAP;
        if (seen.size > 4 * OVERLAP) seen = new Set([...seen].filter((id) => id > oldest));
      };
      const pollAlone = (): void => {
        if (polling) return;
        polling = true;
        poll()
          .catch(warn)
          .finally(() => {
            polling = false;
          });
      };
      // At once, so that hardly anything comes between the beginning and the look at what was there already.
      pollAlone();
      const timer = setInterval(pollAlone, POLL_MS).unref();
      stop = () => {
        over = true;
        clearInterval(timer);
      };
    },
    pause: () => stop?.(),
  };
}
