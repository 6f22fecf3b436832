import { statfs } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { sqliteFile } from '../../db/engine/connect.js';
import { MIN_UPLOAD_RATE, type UploadRate } from '../../rest-adapter/receive/upload-rate.js';
import type { SmtpReceiver } from '../../routers/base/ports/mail/smtp.js';
import { readAsSet } from '../../routers/features/image/words.js';
import { smtpReceiver } from '../../routers/features/mail/arrival/smtp.js';
import type { SmtpIn } from '../drivers/mail/smtp-in/server.js';
import { endedWorkers } from '../drivers/media/workers/worker-process.js';
import { alone, type ProcessRole } from './cluster/role.js';
import type { Config } from './config/config.js';
import { prepareDemo, requireFitting, watchDemo } from './demo/index.js';
import { prepareOwner } from './first-owner.js';
import type { ActiveRequests } from './http/active-requests.js';
import { createContextFactory } from './http/context.js';
import { addressOf, drain, listen, retire, tryPort } from './http/listening.js';
import { collectEarlier, collectGarbage } from './http/node-internals.js';
import { createHttpServer } from './http/server.js';
import { answerWhileStarting } from './http/starting.js';
import { createHandlers } from './jobs/handlers.js';
import type { Logs } from './logger.js';
import { openMessengerInbox } from './messenger-poll.js';
import { countOpenFiles } from './metrics/host.js';
import { createMetrics } from './metrics/index.js';
import { mailMetrics } from './metrics/mail.js';
import { single } from './metrics/metric.js';
import { sizeOfFile } from './metrics/store.js';
import { explained, type OpenServices, openServices, sharesDatabase, tempDirOf } from './services.js';
import { watchClock } from './upkeep/clock.js';
import { fillBeside } from './upkeep/fill-beside.js';
import { openHousekeeping } from './upkeep/housekeeping.js';
import { openSockets } from './ws/sockets.js';

/** Content in memory that nobody has read for this long, in milliseconds, is forgotten. */
const TRIM_MS = 60_000;

/** A running Holdall server. */
export interface App {
  readonly services: OpenServices;
  readonly server: Server;
  /** The address it listens on. */
  readonly address: AddressInfo;
  /** The address at which it receives mail by SMTP; null if it does not. */
  readonly smtpAddress: AddressInfo | null;
  /**
   * Lets running requests finish, then flushes and closes everything. `gently` (another process is taking over the
   * port) also serves one more request on each open keep-alive connection.
   */
  close(options?: { readonly gently?: boolean }): Promise<void>;
}

/**
 * The composition root: opens everything the configuration names and starts listening. Visible effects (requests,
 * jobs, invites) start only once the port is ours; if the port is taken, nothing is changed.
 */
export async function startApp(
  config: Config,
  logs: Logs,
  place: ProcessRole = alone,
  uploadRate: UploadRate = MIN_UPLOAD_RATE,
): Promise<App> {
  const { log } = logs;
  collectEarlier();
  // Later workers share the port that the first worker has already claimed.
  if (place.first) await tryPort(config);
  const { tracing } = config;
  const endTracing =
    tracing === null ? async () => {} : await (await import('./tracing/tracing.js')).startTracing(tracing);
  const { services, clock, invite } = await prepare(config, place, log);
  const contextOf = createContextFactory(services, { trustProxy: config.trustProxy });
  const { smtpIn: smtpOptions } = config.mail;
  const receiver = smtpOptions === null ? null : smtpReceiver(services, smtpOptions.maxBytes);
  const metrics = createMetrics(async () => [
    ...(await resourcesOf(config, services)),
    ...(receiver === null ? [] : mailMetrics(receiver.figures)),
    single('holdall_http_connections', 'Open connections.', await connectionsOf(server)),
    single('holdall_http_requests_under_way', 'Requests in progress.', active.count),
    single('holdall_hot_cache_bytes', 'Content cached in memory.', services.hot.bytes),
    single(
      'holdall_unauthenticated_memory_bytes',
      'Memory held for request bodies of senders not yet authenticated.',
      services.limits.unauthenticated.memory.held,
    ),
    single(
      'holdall_unauthenticated_staging_bytes',
      'Disk space held for files of senders not yet authenticated.',
      services.limits.unauthenticated.staging.held,
    ),
  ]);
  const readAll = place.shareMetrics(metrics.read);
  const { server, active } = createHttpServer(
    config,
    contextOf,
    logs,
    { app: services, contextOf, metrics, readAll },
    uploadRate,
  );
  const sockets = openSockets(server, services, config, contextOf, log);
  // Before requests are taken: if the port of mail is in use, nothing has been changed.
  const smtpIn = await openMailPort(config, receiver, log);
  await listen(server, { port: config.port, host: config.host });
  // No `await` from here on: a request to shut down in between would be missed.
  services.jobs.start(createHandlers(services));
  const housekeeping = openHousekeeping(services, {
    tempDir: tempDirOf(config),
    visitLogDays: config.visitLogDays,
    shared: sharesDatabase(config),
  });
  const endWatch = services.installation.watch();
  const endDemo = config.demo ? watchDemo(services) : async () => {};
  services.background.run((ending) => fillBeside(services.db, log, ending));
  services.background.run(() => readAsSet(services));
  services.installation.onChange(() => services.background.run(() => readAsSet(services)));
  const trimming = setInterval(() => forgetUnread(services, active), TRIM_MS).unref();
  const messenger = openMessengerInbox(config, services, log);
  if (invite !== null) process.stdout.write(invite);
  const address = server.address() as AddressInfo;
  // Whoever started the server waits for this line, so it is logged whatever the log level.
  log
    .child({}, { level: log.level === 'silent' ? 'silent' : 'info' })
    .info({ address: addressOf(config.host, address.port), origin: config.origin }, 'listening');

  return {
    services,
    server,
    address,
    smtpAddress: smtpIn?.address ?? null,
    close: async ({ gently = false } = {}) => {
      sockets.close();
      clearInterval(trimming);
      endWatch();
      await Promise.all([
        housekeeping.stop(),
        endDemo(),
        messenger.stop(),
        smtpIn?.close(),
        clock.stop(),
        // Jobs that requests still queue run after the next start or in another process.
        services.jobs.stop(),
        services.background.stop(),
        gently ? retire(server) : drain(server),
      ]);
      await active.none();
      await Promise.all([services.keyUses.flush(), services.views.flush(), services.openings.flush()]);
      await services.refusedMails.close();
      await services.db.close();
      await endTracing();
    },
  };
}

/** What may run out, and failures of the store. */
async function resourcesOf({ dataDir, databaseUrl }: Config, { db, probes, storeFailures }: OpenServices) {
  const max = { combine: 'max' } as const;
  const counter = { type: 'counter' } as const;
  const [disk, files] = await Promise.all([statfs(dataDir), countOpenFiles()]);
  const wal = databaseUrl === null ? await sizeOfFile(`${sqliteFile(dataDir)}-wal`) : 0;
  const { used, waiting, waitedSeconds } = db.pool();
  return [
    single('holdall_data_free_bytes', 'Free space of DATA_DIR.', disk.bavail * disk.bsize, max),
    single('holdall_database_wal_bytes', 'Size of the log of SQLite.', wal, max),
    single('holdall_database_pool_used', 'Connections to the database that are in use.', used),
    single('holdall_database_pool_waiting', 'Who waits for a connection to the database.', waiting),
    single(
      'holdall_database_pool_wait_seconds_total',
      'Time waited for connections to the database.',
      waitedSeconds,
      counter,
    ),
    single(
      'holdall_store_failures_total',
      'Health checks of the store, and requests to an object store, that failed.',
      probes.storage.facts().failures + storeFailures(),
      counter,
    ),
    {
      ...counter,
      name: 'holdall_decoders_ended_total',
      help: 'Child processes that read files or mails and crashed over one, or were killed over it.',
      combine: 'sum' as const,
      samples: Object.entries(endedWorkers()).map(([how, value]) => ({ suffix: '', labels: { how }, value })),
    },
    ...(files === null ? [] : [single('process_open_fds', 'Open file descriptors.', files)]),
  ];
}

/** What has to be ready before requests are served. */
async function prepare(config: Config, place: ProcessRole, log: Logs['log']) {
  const isAsked = place.first && config.port !== 0;
  const endProbes = isAsked ? answerWhileStarting(config) : async () => {};
  try {
    const services = await openServices(config, log);
    await requireFitting(config, services);
    const clock = await watchClock(services.db, log);
    if (config.demo) await prepareDemo(config, services);
    return { services, clock, invite: await prepareOwner(config, services, place, log) };
  } catch (error) {
    throw explained(error, config);
  } finally {
    await endProbes();
  }
}

/** Frees the memory of content that nobody reads any more. V8 gives it back only by a collection, which is not due while idle. */
function forgetUnread({ hot }: OpenServices, active: ActiveRequests): void {
  const before = hot.bytes;
  hot.trim();
  if (hot.bytes < before && active.count === 0) collectGarbage();
}

/** Receives mail by SMTP, if that is configured. The library is loaded only then. */
async function openMailPort(
  config: Config,
  receiver: SmtpReceiver | null,
  log: Logs['log'],
): Promise<SmtpIn | null> {
  const { smtpIn, domains } = config.mail;
  if (smtpIn === null || receiver === null) return null;
  const { openSmtpIn } = await import('../drivers/mail/smtp-in/server.js');
  const opened = await openSmtpIn(smtpIn, { name: domains[0], receiver, log });
  log.info({ address: opened.address }, 'receiving mail');
  return opened;
}

const connectionsOf = (server: Server): Promise<number> => promisify(server.getConnections.bind(server))();
