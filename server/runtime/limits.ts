import type { Db } from '../../db/engine/connect.js';
import { Budget } from '../../rest-adapter/receive/budget.js';
import { createConcurrencyLimit, createQueuePerHolder, createTurns } from '../../routers/base/turns.js';
import type { LimitServices } from '../../routers/core/context.js';
import { ANSWER_MEMORY_BYTES } from '../../routers/core/large-answer.js';
import { MEMORY_BYTES } from '../../routers/features/mail/bounds.js';
import { createDatabaseStore, createMemoryStore, type LimitStore } from '../drivers/limits/limit-store.js';
import { createLimits } from '../drivers/limits/limits.js';
import { createMemoryBudget } from '../drivers/limits/memory-budget.js';
import type { Config } from './config/config.js';

/** What the bodies of all unauthenticated requests of a process may take, in memory and in the staging area. */
const UNAUTHENTICATED_MEMORY_BYTES = 128 * 1024 * 1024;
const UNAUTHENTICATED_STAGING_BYTES = 1024 * 1024 * 1024;
/** Concurrent site statistics, because each uses several database readers, and callers that may wait. */
const MAX_STATISTICS = { atOnce: 1, waiting: 100 } as const;

/** Searches: one uses one processor, for up to two seconds. An account may search a page of each kind at once. */
const SEARCH_TURNS = { atOnce: 1, waiting: 16, patienceMs: 10_000, perHolder: 4 } as const;

/** Calls of batches for one network: a whole batch at once, and as many more as its connections may bring. */
const BATCH_CALLS = { atOnce: 20, waiting: 4_000 } as const;

/** Parts of lists made for one network at once, and its lists that wait for theirs. */
const LINE_TURNS = { atOnce: 1, waiting: 4_000 } as const;

/** Files fetched from other servers: each may take long, but little of this one. */
const FETCH_TURNS = { atOnce: 32, waiting: 32, patienceMs: 30_000, perHolder: 4 } as const;

/** Changes of videos: one uses two processors, for up to two minutes. */
const VIDEO_TURNS = { atOnce: 1, waiting: 8, patienceMs: 60_000, perHolder: 3 } as const;

/** Large responses built at once. */
const MAX_LARGE_ANSWERS = { atOnce: 1, waiting: 100, patienceMs: 10_000 } as const;

/** Concurrent renditions, and originals that are loaded for them: two are rendered while two others are loaded. */
const MAX_RENDITIONS = { atOnce: 4, waiting: 64, patienceMs: 30_000 } as const;

/** Archives that are listed: one is read while another is loaded. A page waits for it, and is shown without a list. */
const MAX_LISTINGS = { atOnce: 2, waiting: 16, patienceMs: 5_000 } as const;

/** Opens what keeps one client from taking the server from all others; `isShared` if other processes count as well. */
export function openLimits(config: Config, db: Db, isShared: boolean): LimitServices {
  return {
    rates: createLimits(limitStoreOf(config, db, isShared)),
    statistics: createConcurrencyLimit(MAX_STATISTICS),
    searches: createTurns(SEARCH_TURNS),
    batchCalls: createQueuePerHolder(BATCH_CALLS),
    lines: createQueuePerHolder(LINE_TURNS),
    fetches: createTurns(FETCH_TURNS),
    videoTools: createTurns(VIDEO_TURNS),
    originals: createConcurrencyLimit(MAX_RENDITIONS),
    renditions: createConcurrencyLimit(MAX_RENDITIONS),
    archiveListings: createConcurrencyLimit(MAX_LISTINGS),
    largeAnswers: createConcurrencyLimit(MAX_LARGE_ANSWERS),
    answerMemory: createMemoryBudget(ANSWER_MEMORY_BYTES),
    unauthenticated: {
      memory: new Budget(UNAUTHENTICATED_MEMORY_BYTES),
      staging: new Budget(UNAUTHENTICATED_STAGING_BYTES),
    },
    mailMemory: createMemoryBudget(MEMORY_BYTES),
  };
}

function limitStoreOf({ rateLimit }: Config, db: Db, isShared: boolean): LimitStore | null {
  if (!rateLimit) return null;
  return isShared ? createDatabaseStore(db) : createMemoryStore();
}
