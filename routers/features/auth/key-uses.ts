import type { Identity } from '../../../db/account/credential.js';
import { touchKey, touchKeyOfDay } from '../../../db/account/named-key.js';
import type { Db } from '../../../db/engine/connect.js';
import { DAY_MS } from '../../../db/engine/days.js';
import type { KeyUses } from '../../base/ports/key-uses.js';
import type { Log } from '../../base/ports/log.js';
import { audit } from '../../core/audit.js';

/** Minimum interval between two records of one key's use. */
const NOTE_EVERY_MS = 60 * 1000;
/** How long noted uses wait for others. */
const GATHER_MS = 5 * 1000;
/** Records of one transaction. */
const MAX_BATCH = 200;

interface Use {
  readonly userId: number;
  readonly isMain: boolean;
  readonly at: number;
  readonly address: string;
}

/**
 * Stores the uses of keys in batches: a key that is used a thousand times a second costs one row a minute. The first
 * use of a main key on a day is in the audit log, because that key can do everything.
 */
export function createKeyUses(db: Db, log: Log): KeyUses {
  const noted = new Map<number, Use>();
  let timer: NodeJS.Timeout | null = null;
  let storing: Promise<void> = Promise.resolve();

  const store = async (): Promise<void> => {
    for (let batch = take(); batch.length > 0; batch = take()) {
      try {
        await db.write(async (trx) => {
          for (const [id, use] of batch) {
            const first =
              use.isMain && (await touchKeyOfDay(trx, id, use, Math.floor(use.at / DAY_MS) * DAY_MS));
            if (first) await audit(use, trx, 'key.used', { actor: use.userId, subject: use.userId });
            else await touchKey(trx, id, use.at, use.address);
          }
        });
      } catch (error) {
        // Reads must work on a full disk; the next use is noted again.
        log.warn({ err: error }, 'the use of keys could not be recorded');
      }
    }
  };
  const take = (): [number, Use][] => {
    const batch = [...noted].slice(0, MAX_BATCH);
    for (const [id] of batch) noted.delete(id);
    return batch;
  };
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    storing = storing.then(store);
    return storing;
  };
  return {
    note({ userId, key, lastUsedAt }: Identity, address) {
      const at = Date.now();
      if (key === null || at - (lastUsedAt ?? 0) < NOTE_EVERY_MS) return;
      noted.set(key.id, { userId, isMain: key.isMain, at, address });
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
    },
    flush,
  };
}
