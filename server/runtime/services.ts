import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, sqliteFile } from '../../db/engine/connect.js';
import { DatabaseIsNewer, migrate } from '../../db/engine/migrate.js';
import { sqliteFault } from '../../db/engine/sqlite-fault.js';
import { createLoaders } from '../../db/loaders.js';
import { Budget } from '../../rest-adapter/receive/budget.js';
import { API_PREFIX } from '../../rest-adapter/route.js';
import type { LimitServices, Services, Settings } from '../../routers/context.js';
import { createVisits } from '../../routers/link/visit-batch.js';
import { MEMORY_BYTES } from '../../routers/mail/bounds.js';
import { ANSWER_MEMORY_BYTES } from '../../routers/shared/large-answer.js';
import { emit } from '../../routers/webhook/emit.js';
import { linkItem } from '../../routers/webhook/events.js';
import { openChat } from '../drivers/chat/index.js';
import { createHighlighter } from '../drivers/highlight/index.js';
import { createConcurrencyLimit } from '../drivers/limits/concurrency-limit.js';
import { createDatabaseStore, createMemoryStore, type LimitStore } from '../drivers/limits/limit-store.js';
import { createLimits } from '../drivers/limits/limits.js';
import { createMemoryBudget } from '../drivers/limits/memory-budget.js';
import { createSingleFlight } from '../drivers/limits/single-flight.js';
import { createTurns } from '../drivers/limits/turns.js';
import { readSender } from '../drivers/mail/check.js';
import { openMail } from '../drivers/mail/index.js';
import { createArchives } from '../drivers/media/archive/index.js';
import { createMedia } from '../drivers/media/index.js';
import { openWebhooks } from '../drivers/outbound/open.js';
import { createItemPasswords } from '../drivers/secrets/item-password.js';
import { createPasswords } from '../drivers/secrets/passwords.js';
import { openSecrets } from '../drivers/secrets/secrets.js';
import { makeFolder } from '../drivers/storage/disk/folders.js';
import { raiseBlobs } from '../drivers/storage/disk/raise-blobs.js';
import { createHeldBytes } from '../drivers/storage/held-bytes.js';
import { createHotCache, type HotCache, openBlobStore } from '../drivers/storage/index.js';
import { ConfigError } from '../shared/config-error.js';
import { packageVersion } from '../shared/version.js';
import type { Config } from './config/config.js';
import { createJobQueue, type JobQueue } from './jobs/queue.js';
import type { Logger } from './logger.js';
import { createHostReader } from './metrics/host.js';
import { openDatabase, requireWritable } from './open-database.js';
import { createHub } from './ws/hub.js';
import { createRelay } from './ws/relay.js';

/** What the bodies of all unauthenticated requests of a process may take, in memory and in the staging area. */
const UNAUTHENTICATED_MEMORY_BYTES = 128 * 1024 * 1024;
const UNAUTHENTICATED_STAGING_BYTES = 1024 * 1024 * 1024;
/** Memory for frequently requested content, and the maximum size of one item. */
const HOT_CACHE = { maxBytes: 96 * 1024 * 1024, maxBlobBytes: 8 * 1024 * 1024 } as const;

/** How long a health check result is shared between callers. */
const RECENT_MS = 2_000;

/** Concurrent site statistics, because each uses several database readers, and callers that may wait. */
const MAX_STATISTICS = { atOnce: 1, waiting: 100 } as const;

/** Searches: one uses one processor, for up to two seconds. An account may search a page of each kind at once. */
const SEARCH_TURNS = { atOnce: 1, waiting: 16, patienceMs: 10_000, perHolder: 4 } as const;

/** Large responses built at once. */
const MAX_LARGE_ANSWERS = { atOnce: 1, waiting: 100, patienceMs: 10_000 } as const;

/** Concurrent renditions: two are rendered while the originals of two others are loaded. */
const MAX_RENDITIONS = { atOnce: 4, waiting: 64, patienceMs: 30_000 } as const;

/** The services of a process, with the parts that only start and shutdown need. */
export type OpenServices = Services & {
  readonly jobs: JobQueue;
  readonly hot: HotCache;
};

/**
 * Opens everything that lives as long as the process, from the database to the mail transport. On failure everything
 * is closed again; throws a `ConfigError` if an operator can fix the cause.
 */
export async function openServices(config: Config, log: Logger): Promise<OpenServices> {
  await makeDataDir(config.dataDir);
  try {
    const db = await openDatabase(config, log);
    // An open database would keep the process of a command from exiting.
    return await servicesOver(db, config, log).catch(async (error: unknown) => {
      await db.close();
      throw error;
    });
  } catch (error) {
    if (error instanceof DatabaseIsNewer)
      throw new ConfigError(`Holdall cannot start: ${error.message}`, { cause: error });
    const fault = sqliteFault(error, () => sqliteFile(config.dataDir));
    if (fault === null) throw error;
    throw new ConfigError(`Holdall cannot start: ${fault}`, { cause: error });
  }
}

async function servicesOver(db: Db, config: Config, log: Logger): Promise<OpenServices> {
  await requireWritable(db, config);
  const ran = await migrate(db);
  if (ran.length > 0) log.info({ migrations: ran }, 'database is up to date');
  const secrets = await openSecrets(config, db);
  if (ran.length > 0 && config.s3 === null) await raiseBlobs(config.dataDir);
  const blobs = await openBlobStore(config);
  const hot = createHotCache(HOT_CACHE);
  const app: OpenServices = {
    settings: await settingsOf(config),
    db,
    load: createLoaders(db, await db.openState()),
    storage: {
      blobs: {
        ...blobs,
        remove: async (sha256) => {
          hot.delete(sha256);
          await blobs.remove(sha256);
        },
      },
      heldBytes: createHeldBytes(hot, blobs),
    },
    media: {
      ...createMedia({ tempDir: tempDirOf(config), log }),
      archives: createArchives({ tempDir: tempDirOf(config), limits: archiveLimits(config), log }),
    },
    mail: openMail(config, log),
    chat: openChat(config, log),
    limits: limitsOf(config, db),
    singleFlight: createSingleFlight(),
    cachedBriefly: createSingleFlight(RECENT_MS),
    hub: createHub(log, createRelay(db, log)),
    readHost: createHostReader(config.dataDir),
    highlight: createHighlighter(),
    webhooks: openWebhooks(config),
    hot,
    jobs: createJobQueue(db, secrets, log),
    passwords: createPasswords(),
    itemPasswords: createItemPasswords(),
    secrets,
    visits: createVisits(db, config.visitAddresses, {
      usedUp: (trx, url) => emit(app, trx, url.ownerId, 'url.exhausted', linkItem(app, url)),
      committed: () => app.jobs.kick(),
    }),
    log,
  };
  return app;
}

async function makeDataDir(path: string): Promise<void> {
  const cannotBe = (what: string) => (cause: Error) => {
    throw new ConfigError(`Holdall cannot start: DATA_DIR cannot be ${what}: ${cause.message}`, { cause });
  };
  await makeFolder(path).catch(cannotBe('created'));
  await access(path, constants.W_OK).catch(cannotBe('written to'));
}

function limitsOf(config: Config, db: Db): LimitServices {
  return {
    rates: createLimits(limitStoreOf(config, db)),
    statistics: createConcurrencyLimit(MAX_STATISTICS.atOnce, MAX_STATISTICS.waiting),
    searches: createTurns(SEARCH_TURNS),
    renditions: createConcurrencyLimit(
      MAX_RENDITIONS.atOnce,
      MAX_RENDITIONS.waiting,
      MAX_RENDITIONS.patienceMs,
    ),
    largeAnswers: createConcurrencyLimit(
      MAX_LARGE_ANSWERS.atOnce,
      MAX_LARGE_ANSWERS.waiting,
      MAX_LARGE_ANSWERS.patienceMs,
    ),
    answerMemory: createMemoryBudget(ANSWER_MEMORY_BYTES),
    unauthenticated: {
      memory: new Budget(UNAUTHENTICATED_MEMORY_BYTES),
      staging: new Budget(UNAUTHENTICATED_STAGING_BYTES),
    },
    mailMemory: createMemoryBudget(MEMORY_BYTES),
  };
}

function limitStoreOf(config: Config, db: Db): LimitStore | null {
  if (!config.rateLimit) return null;
  return sharesDatabase(config) ? createDatabaseStore(db) : createMemoryStore();
}

/** The folder for media work, on the same disk as the blobs. */
export const tempDirOf = ({ dataDir }: Config): string => join(dataDir, 'tmp');

/** Limits of an uploaded archive: no file larger than an upload, and not much more in total. */
const archiveLimits = ({ maxUploadBytes }: Config) => ({
  entries: 1_000,
  entryBytes: maxUploadBytes,
  totalBytes: 2 * maxUploadBytes,
  ratio: 100,
});

/** True when other processes may serve the same accounts. */
export const sharesDatabase = (config: Config): boolean =>
  config.workers !== '1' || config.databaseUrl !== null;

async function settingsOf(config: Config): Promise<Settings> {
  return {
    origin: config.origin,
    baseUrl: `${config.origin}${API_PREFIX}`,
    frontendUrl: config.frontendUrl,
    corsOrigins: config.corsOrigins,
    frontEnds: [
      ...config.corsOrigins,
      ...(config.frontendUrl === null ? [] : [new URL(config.frontendUrl).origin]),
    ],
    mailDomain: config.mail.domain ?? new URL(config.origin).hostname,
    mailSender: readSender(config.mail.from).address.toLowerCase(),
    shortUrls: config.shortUrls,
    registration: config.registration,
    s3Redirect: config.s3?.redirect ?? false,
    maxUploadBytes: config.maxUploadBytes,
    maxRenditionBytes: config.maxRenditionBytes,
    version: await packageVersion(),
    startedAt: Date.now(),
  };
}
