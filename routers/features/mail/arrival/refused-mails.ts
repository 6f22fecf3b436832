import type { Db } from '../../../../db/engine/connect.js';
import type { Log } from '../../../base/ports/log.js';
import type { RefusedMails } from '../../../base/ports/mail/refused-mails.js';
import { takeToken } from './token.js';

/** Any more, the oldest are forgotten. */
const MAX_REMEMBERED = 10_000;
/** How long a database that is away is left alone, in milliseconds. */
const PAUSE_MS = 1000;
/** Mails in one transaction. */
const MAX_BATCH = 200;

/** The memory of this process for what the database could not be told; each is told there once it answers again. */
export function createRefusedMails(db: Db, log: Log): RefusedMails {
  /** Deliveries by what stands for their tokens. */
  const remembered = new Map<string, string>();
  let closed = false;
  let timer: NodeJS.Timeout | null = null;
  let telling: Promise<void> = Promise.resolve();

  const tell = async (): Promise<void> => {
    try {
      while (remembered.size > 0) {
        const batch = [...remembered].slice(0, MAX_BATCH);
        await db.write(async (trx) => {
          for (const [hash, delivery] of batch) await takeToken(trx, { hash, delivery });
        });
        for (const [hash] of batch) remembered.delete(hash);
      }
    } catch {
      // Still away, as the log says already.
    }
  };
  const tellNow = async (): Promise<void> => {
    timer = null;
    telling = telling.then(tell);
    await telling;
    if (remembered.size > 0) tellLater();
  };
  const tellLater = (): void => {
    if (!closed) timer ??= setTimeout(() => void tellNow(), PAUSE_MS).unref();
  };
  return {
    note: async (refused) => {
      try {
        await db.write((trx) => takeToken(trx, refused));
      } catch (error) {
        log.warn({ err: error }, 'only this process remembers that a mail was refused for now');
        const { hash, delivery } = refused;
        if (!remembered.has(hash)) remembered.set(hash, delivery);
        const [oldest] = remembered.keys();
        if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
        tellLater();
      }
    },
    has: ({ hash, delivery }) => remembered.get(hash) === delivery,
    close: async () => {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await tellNow();
    },
  };
}
