import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/engine/connect.js';
import { hubNotesAfter, insertHubNote, lastHubNote } from '../../../db/system/hub-note.js';
import type { Logger } from '../logger.js';
import type { Relay } from './hub.js';

const POLL_MS = 500;
const FORGET_MS = 60_000;
const BATCH = 1_000;
/** Notes of concurrent transactions become visible out of order, so this many IDs are read again. */
const OVERLAP = 200;
/** Notes from before listening started are delivered if they were sent within this time before it. */
const JUST_BEFORE_MS = 2_000;

/**
 * Passes messages between the processes that share a database, within half a second. Polls the database only while
 * somebody is listening.
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
          // Notes that appear later are new whatever their date: the clocks of machines differ.
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
      // Poll at once, so that few notes are added between the start and the first look at existing ones.
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
