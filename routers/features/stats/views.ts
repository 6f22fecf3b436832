import type { Db } from '../../../db/engine/connect.js';
import { countViews } from '../../../db/statistics/view-days.js';
import type { CountryOf } from '../../base/ports/geo.js';
import type { Log } from '../../base/ports/log.js';
import type { Views } from '../../base/ports/views.js';
import { createHeaderReader, PREFETCH } from './agents.js';
import type { Agent } from './user-agent.js';
import { ViewBatch } from './view-batch.js';

/** How long counts wait for others: each commit on SQLite lets go of the rows in memory (docs/adr/0007). */
const GATHER_MS = 5_000;
/** So many different counts are stored at once, so that the writer is not kept for long. */
const FULL = 2_000;
/** Counts of one transaction. */
const MAX_PART = 1_000;

const PERSON: Agent = { browser: '', system: '', bot: false };
const BOT: Agent = { ...PERSON, bot: true };

/** Counts views in memory; see `Views`. `origin` is that of this server, `countryOf` names the countries of visitors. */
export function createViews(db: Db, log: Log, origin: string, countryOf: CountryOf = () => null): Views {
  const headers = createHeaderReader(origin);
  let batch = new ViewBatch(Date.now());
  let timer: NodeJS.Timeout | null = null;
  let storing: Promise<void> = Promise.resolve();
  let flushes = 0;

  const store = async (): Promise<void> => {
    const taken = batch;
    batch = new ViewBatch(Date.now());
    try {
      for (const part of taken.parts(MAX_PART)) await db.write((trx) => countViews(db, trx, part));
    } catch (error) {
      // Reads must work on a full disk.
      log.warn({ err: error }, 'views could not be counted');
    }
    if (taken.lost > 0) log.warn({ views: taken.lost }, 'views of too many items at once were not counted');
  };
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    flushes += 1;
    storing = (flushes > 1 ? storing.then(store) : store()).finally(() => {
      flushes -= 1;
    });
    return storing;
  };
  /** Whether another batch may begin: while one is being stored, all views are counted in the next. */
  const isFree = (): boolean => flushes === 0;
  const begin = (): void => {
    if (Date.now() >= batch.ends && isFree()) void flush();
  };
  const end = (): void => {
    if (batch.size >= FULL && isFree()) void flush();
    else timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
  };
  return {
    note(kind, id, { userAgent, address, referrer, prefetch }) {
      begin();
      const agent = headers.agentOf(userAgent);
      // Of bots neither is shown.
      if (agent.bot) batch.add(kind, id, agent, '', null, 1);
      else if (prefetch) batch.add(kind, id, PREFETCH, '', null, 1);
      else batch.add(kind, id, agent, headers.referrerHostOf(referrer), countryOf(address), 1);
      end();
    },
    noteVisits(visits) {
      begin();
      for (const { urlId, bot, visits: times } of visits)
        batch.add('url', urlId, bot ? BOT : PERSON, '', null, times);
      end();
    },
    flush,
  };
}
