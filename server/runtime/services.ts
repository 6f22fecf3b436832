import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { sqliteFault } from '../../db/engine/clients/sqlite-fault.js';
import { type Db, sqliteFile } from '../../db/engine/connect.js';
import { UnusableDatabase } from '../../db/engine/migrate.js';
import { query } from '../../db/engine/query.js';
import { createLoaders } from '../../db/loaders.js';
import { API_PREFIX } from '../../rest-adapter/route.js';
import { openCreations } from '../../routers/app/creations.js';
import { ITEM_ACTIONS } from '../../routers/app/items.js';
import { createProbe } from '../../routers/base/probe.js';
import type { Services } from '../../routers/core/context.js';
import type { Settings } from '../../routers/core/settings.js';
import { emit } from '../../routers/core/webhook/emit.js';
import { linkItem } from '../../routers/core/webhook/events.js';
import { createKeyUses } from '../../routers/features/auth/key-uses.js';
import { createVisits } from '../../routers/features/link/visits/visit-batch.js';
import { createRefusedMails } from '../../routers/features/mail/arrival/refused-mails.js';
import { createViews } from '../../routers/features/stats/views.js';
import { createOpenings } from '../../routers/features/telling/openings.js';
import { openCountries } from '../drivers/geo/index.js';
import { createHighlighter } from '../drivers/highlight/index.js';
import { createKeptTexts } from '../drivers/limits/kept-texts.js';
import { createSingleFlight } from '../drivers/limits/single-flight.js';
import { readSender } from '../drivers/mail/check.js';
import { openReadingApart } from '../drivers/mail/reading/apart.js';
import { createMarkdown } from '../drivers/markdown/index.js';
import { createArchives } from '../drivers/media/archive/index.js';
import { createMedia } from '../drivers/media/index.js';
import { findFfmpeg } from '../drivers/media/video/find.js';
import { openScanner } from '../drivers/scanner/clamd.js';
import { createItemPasswords } from '../drivers/secrets/item-password.js';
import { createPasswords } from '../drivers/secrets/passwords.js';
import { openSecrets } from '../drivers/secrets/secrets.js';
import { createAcceleration } from '../drivers/storage/acceleration.js';
import { makeFolder } from '../drivers/storage/disk/folders.js';
import { raiseBlobs } from '../drivers/storage/disk/raise-blobs.js';
import { createHeldBytes } from '../drivers/storage/held-bytes.js';
import { createHotCache, type HotCache, openBlobStores } from '../drivers/storage/index.js';
import { severalStores } from '../drivers/storage/several.js';
import { createSpaceCheck } from '../drivers/storage/space.js';
import { ConfigError } from '../shared/config-error.js';
import { packageVersion } from '../shared/version.js';
import { type OpenBackground, openBackground } from './background.js';
import type { Config } from './config/config.js';
import { type OpenInstallation, openInstallation } from './config/installation.js';
import { createJobQueue, type JobQueue } from './jobs/queue.js';
import { openLimits } from './limits.js';
import type { Logger } from './logger.js';
import { createHostReader } from './metrics/host.js';
import { fillSearches, migrateDatabase } from './migrating.js';
import { openWritable, requireWritable } from './open-database.js';
import { openChanging, openOutgoing } from './outgoing.js';
import { createHub } from './ws/hub.js';
import { createRelay } from './ws/relay.js';

/** Memory for frequently requested content, and the maximum size of one item. */
const HOT_CACHE = { maxBytes: 96 * 1024 * 1024, maxBlobBytes: 8 * 1024 * 1024 } as const;

/** The migration that makes the index of searches, in which nothing is found until it is filled. */
const INDEX_MADE = '0180_search';

/** How long a health check result is shared between callers. */
const RECENT_MS = 2_000;
/** What is in archives takes up to this many characters of memory. */
const LISTINGS_CHARS = 8 * 1024 * 1024;
/** The names of files that took too long: about three thousand. */
const SLOW_FILES_CHARS = 256 * 1024;

/** How services are opened: `leniently` without settings that do not fit the environment. */
interface Opening {
  readonly leniently?: boolean;
}

/** The services of a process, with the parts that only start and shutdown need. */
export type OpenServices = Services & {
  readonly installation: OpenInstallation;
  readonly jobs: JobQueue;
  readonly hot: HotCache;
  readonly background: OpenBackground;
  /** How many requests to an object store have failed. */
  readonly storeFailures: () => number;
};

/**
 * Opens everything that lives as long as the process, from the database to the mail transport. On failure everything
 * is closed again; throws a `ConfigError` if an operator can fix the cause.
 */
export async function openServices(
  config: Config,
  log: Logger,
  opening: Opening = {},
): Promise<OpenServices> {
  await makeDataDir(config.dataDir);
  try {
    const db = await openWritable(config, log);
    // An open database would keep the process of a command from exiting.
    return await servicesOver(db, config, log, opening).catch(async (error: unknown) => {
      await db.close();
      throw error;
    });
  } catch (error) {
    throw explained(error, config);
  }
}

/** The error, or the `ConfigError` that says what to do about it: the database is not usable. */
export function explained(error: unknown, { dataDir }: Pick<Config, 'dataDir'>): unknown {
  if (error instanceof ConfigError) return error;
  const reason =
    error instanceof UnusableDatabase ? error.message : sqliteFault(error, () => sqliteFile(dataDir));
  return reason === null ? error : new ConfigError(`Holdall cannot start: ${reason}`, { cause: error });
}

async function servicesOver(
  db: Db,
  config: Config,
  log: Logger,
  { leniently }: Opening,
): Promise<OpenServices> {
  await requireWritable(db, config);
  const ran = await migrateDatabase(db, log);
  // An index that was there is filled beside the requests: searches find less until then.
  if (ran.includes(INDEX_MADE)) await fillSearches(db, log);
  const secrets = await openSecrets(config, db);
  const state = await db.openState();
  const installation = await openInstallation(config, { db, secrets, state, log }, leniently);
  if (ran.length > 0 && config.places.includes('disk')) await raiseBlobs(config.dataDir);
  let storeFailures = 0;
  const stores = await openBlobStores(config, () => {
    storeFailures += 1;
  });
  const blobs = severalStores(stores);
  const hot = createHotCache(HOT_CACHE);
  const { countryOf, about } = await openCountries(config.geoDatabase);
  if (about !== null) log.info(about, 'the countries of visits are known from GEO_DATABASE');
  const ffmpeg = await findFfmpeg(config.ffmpeg.given, config.ffmpeg.searchPath);
  const views = createViews(db, log, config.origin, countryOf);
  const reading = openReadingApart();
  let changeable = openChanging(config, reading, log);
  const settings = await settingsOf(config);
  const app: OpenServices = {
    settings,
    installation,
    db,
    load: createLoaders(db, state),
    storage: {
      stores,
      blobs: {
        ...blobs,
        remove: async (sha256) => {
          hot.delete(sha256);
          await blobs.remove(sha256);
        },
      },
      heldBytes: createHeldBytes(hot, blobs),
      acceleratedPath: createAcceleration(config),
      hasSpace: createSpaceCheck(config.dataDir, config.minFreeBytes),
    },
    media: {
      ...createMedia({ tempDir: tempDirOf(config), log, ffmpeg }),
      archives: createArchives({ tempDir: tempDirOf(config), limits: archiveLimits(config), log }),
    },
    scanner: openScanner(config),
    get mail() {
      return changeable.mail;
    },
    ...openOutgoing(config, secrets, log),
    get oidc() {
      return changeable.oidc;
    },
    limits: openLimits(config, db, sharesDatabase(config)),
    singleFlight: createSingleFlight(),
    cachedBriefly: createSingleFlight(RECENT_MS),
    listings: createKeptTexts(LISTINGS_CHARS),
    slowFiles: createKeptTexts(SLOW_FILES_CHARS),
    hub: createHub(log, createRelay(db, log)),
    readHost: createHostReader(config.dataDir),
    highlight: createHighlighter(),
    markdown: createMarkdown(),
    background: openBackground(log),
    hot,
    jobs: createJobQueue(db, secrets, log),
    keyUses: createKeyUses(db, log),
    refusedMails: createRefusedMails(db, log),
    passwords: createPasswords(),
    itemPasswords: createItemPasswords(),
    secrets,
    items: ITEM_ACTIONS,
    creations: openCreations(db, () => app),
    visits: createVisits(
      db,
      config.visitAddresses,
      {
        usedUp: (trx, url) => emit(app, trx, url.ownerId, 'url.exhausted', linkItem(app, url)),
        committed: () => app.jobs.kick(),
      },
      { countryOf, counted: views.noteVisits },
    ),
    views,
    openings: createOpenings(config.origin, () => app),
    probes: {
      database: createProbe('the database', () => query(db.read, 'SELECT 1'), log),
      storage: createProbe('the store', () => blobs.check(), log),
    },
    storeFailures: () => storeFailures,
    phase: { stopping: false },
    log,
  };
  installation.onChange(() => {
    Object.assign(settings, changing(config));
    changeable = openChanging(config, reading, log);
  });
  return app;
}

async function makeDataDir(path: string): Promise<void> {
  const cannotBe = (what: string) => (cause: Error) => {
    throw new ConfigError(`Holdall cannot start: DATA_DIR cannot be ${what}: ${cause.message}`, { cause });
  };
  await makeFolder(path).catch(cannotBe('created'));
  await access(path, constants.W_OK).catch(cannotBe('written to'));
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
    ...changing(config),
    frontendUrl: config.frontendUrl,
    smtp: config.mail.smtpIn && { port: config.mail.smtpIn.port, tls: config.mail.smtpIn.tls !== null },
    strictCookies: config.cookies.sameSite === 'strict',
    language: config.language,
    // The address of a file that moves would lead nowhere.
    s3Redirect: config.places.length === 1 && (config.s3?.redirect ?? false),
    maxUploadBytes: config.maxUploadBytes,
    maxRenditionBytes: config.maxRenditionBytes,
    uploadTypes: config.uploadTypes,
    lives: config.lives,
    guestMailboxes: config.publicMail.offered,
    challengeFor: config.publicMail.challengeFor,
    trashDays: config.trashDays,
    demo: config.demo,
    version: await packageVersion(),
    startedAt: Date.now(),
  };
}

/** What administrators change while the process runs. */
const changing = (config: Config) => ({
  corsOrigins: config.corsOrigins,
  frontEnds: [
    ...config.corsOrigins,
    ...(config.frontendUrl === null ? [] : [new URL(config.frontendUrl).origin]),
  ],
  mailDomain: config.mail.domains[0],
  mailDomains: config.mail.domains,
  mailSender: readSender(config.mail.from).address.toLowerCase(),
  shortUrls: config.shortUrls,
  domains: config.domains,
  registration: config.registration,
  signIn: config.signIn,
  ocr: config.ocr,
});
