import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/connect.js';
import { hubNotesAfter, insertHubNote } from '../../db/hub-note.js';
import type { Logger } from '../logger.js';
import type { Relay } from './hub.js';

const POLL_MS = 500;
const FORGET_MS = 60_000;
const BATCH = 1_000;
/** Notes of simultaneous transactions become visible out of order; so many numbers are looked at again. */
const OVERLAP = 200;
/** Clocks of machines differ; a note from just before is better than one that is lost. */
const TOLERANCE_MS = 2_000;

/**
 * Passes messages between the processes that share a database, within half a second. The database is asked only
 * while somebody listens.
 */
export function createRelay(db: Db, log: Logger): Relay {
  const sender = randomUUID();
  let timer: NodeJS.Timeout | null = null;
  let polling = false;

  const warn = (error: unknown) => log.warn({ err: error }, 'messages between processes are held up');

  return {
    send: (topic, message) => {
      const note = { sender, topic, message: JSON.stringify(message) };
      const at = Date.now();
      db.write((trx) => insertHubNote(trx, note, at, FORGET_MS)).catch(warn);
    },
    listen: (deliver) => {
      let since = Date.now() - TOLERANCE_MS;
      let newest = 0;
      let seen = new Set<number>();
      const poll = async (): Promise<void> => {
        // When the clock goes back, notes are younger than this listener by their dates.
        since = Math.min(since, Date.now() - TOLERANCE_MS);
        for (const note of await hubNotesAfter(db.read, newest - OVERLAP, since, BATCH)) {
          if (seen.has(note.id)) continue;
          seen.add(note.id);
          newest = Math.max(newest, note.id);
          if (note.sender !== sender) deliver(note.topic, JSON.parse(note.message));
        }
        const oldest = newest - OVERLAP;
        if (seen.size > 4 * OVERLAP) seen = new Set([...seen].filter((id) => id > oldest));
      };
      timer = setInterval(() => {
        if (polling) return;
        polling = true;
        poll()
          .catch(warn)
          .finally(() => {
            polling = false;
          });
      }, POLL_MS).unref();
    },
    pause: () => {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}
