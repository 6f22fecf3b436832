import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, Server as TcpServer } from 'node:net';
import { promisify } from 'node:util';
import { ZodError } from 'zod';
import { PACE, type Pace } from '../rest-adapter/body-pace.js';
import { unvouched } from '../rest-adapter/budget.js';
import { ensureOwner, issueOwnerCode } from '../routers/auth/first-owner.js';
import type { Services } from '../routers/context.js';
import { DomainError } from '../routers/errors.js';
import { openMessengerInbox } from './chat/messenger-poll.js';
import { alone, type ProcessRole } from './cluster/role.js';
import { type Config, ConfigError, wrongVariables } from './config/config.js';
import { createContextFactory } from './http/context.js';
import { createHttpServer } from './http/server.js';
import { createHandlers } from './jobs/handlers.js';
import type { Logger, Logs } from './logger.js';
import { createMetrics } from './metrics/index.js';
import { single } from './metrics/metric.js';
import { type OpenServices, openServices, sharesDatabase, tempDirOf } from './services.js';
import { watchClock } from './upkeep/clock.js';
import { openHousekeeping } from './upkeep/housekeeping.js';
import { openSockets } from './ws/sockets.js';

/** Requests that are still running this long after the drain began are cut, so that the exit keeps its promise. */
const DRAIN_MS = 25_000;
/** How long a process that is being replaced waits for one more request on a connection, in milliseconds. */
const LAST_REQUEST_MS = 5_000;

/** The variable that an account which is not the owner's stands against. */
const TAKEN: Readonly<Record<string, string>> = {
  USERNAME_TAKEN: 'OWNER_USERNAME',
  EMAIL_TAKEN: 'OWNER_EMAIL',
};

/** A running Holdall. */
export interface App {
  readonly services: OpenServices;
  readonly server: Server;
  /** Where it listens. */
  readonly address: AddressInfo;
  /**
   * Lets running requests finish, flushes and closes everything. `gently` also answers what still comes in on
   * open connections, for as long as clients may keep them; another process listens in its place.
   */
  close(options?: { readonly gently?: boolean }): Promise<void>;
}

/**
 * The one composition root: opens everything the configuration names, and listens. What others see (a request, a
 * job, an invite) begins once the port is ours; a start whose port is taken touches nothing.
 */
export async function startApp(
  config: Config,
  logs: Logs,
  place: ProcessRole = alone,
  pace: Pace = PACE,
): Promise<App> {
  const { log } = logs;
  // The workers after the first one share a port that is ours already.
  if (place.first) await tryPort(config);
  const services = await openServices(config, log);
  const clock = await watchClock(services.db, log);
  const invite = await prepareOwner(config, services, place, log);
  const contextOf = createContextFactory(services, { trustProxy: config.trustProxy });
  const metrics = createMetrics(async () => [
    single('holdall_http_connections', 'Open connections.', await connectionsOf(server)),
    single('holdall_hot_cache_bytes', 'Content kept in memory.', services.hot.bytes),
    single('holdall_unvouched_memory_bytes', 'Kept of bodies of unknown senders.', unvouched.memory.held),
    single('holdall_unvouched_staging_bytes', 'Staged of files of unknown senders.', unvouched.staging.held),
  ]);
  const readAll = place.shareMetrics(metrics.read);
  const server = createHttpServer(
    config,
    contextOf,
    logs,
    { app: services, contextOf, metrics, readAll },
    pace,
  );
  const sockets = openSockets(server, services, config, contextOf, log);
  await listen(server, { port: config.port, host: config.host });
  // Nothing waits from here on: who is told to end in between must not miss it.
  services.jobs.start(createHandlers(services));
  const housekeeping = openHousekeeping(services, {
    tempDir: tempDirOf(config),
    visitLogDays: config.visitLogDays,
    shared: sharesDatabase(config),
  });
  const messenger = openMessengerInbox(config, services, log);
  if (invite !== null) process.stdout.write(invite);
  const address = server.address() as AddressInfo;
  // Whoever started the server waits for this line, however little else it shall say.
  log
    .child({}, { level: log.level === 'silent' ? 'silent' : 'info' })
    .info({ address: `http://${config.host}:${address.port}`, origin: config.origin }, 'listening');

  return {
    services,
    server,
    address,
    close: async ({ gently = false } = {}) => {
      sockets.close();
      await Promise.all([
        housekeeping.stop(),
        messenger.stop(),
        clock.stop(),
        // What requests still queue is run after the next start, or by another process.
        services.jobs.stop(),
        gently ? retire(server) : drain(server),
      ]);
      services.state.close();
      await services.db.close();
    },
  };
}

/** The variables are looked at when they are used: later on nobody needs them to be right. */
function refuseOwner(error: unknown): never {
  const taken = error instanceof DomainError ? TAKEN[error.reason] : undefined;
  if (taken !== undefined) throw wrongVariables([`${taken}: another account has it`]);
  if (!(error instanceof ZodError)) throw error;
  throw wrongVariables(
    error.issues.map(({ path, message }) => `OWNER_${String(path[0]).toUpperCase()}: ${message}`),
  );
}

/** Makes the owner that the configuration names. Else answers what to print as long as there is none. */
async function prepareOwner(
  config: Config,
  services: Services,
  place: ProcessRole,
  log: Logger,
): Promise<string | null> {
  if (config.owner !== null) {
    if (await ensureOwner(services, config.owner).catch(refuseOwner))
      log.info({ username: config.owner.username }, 'owner account made');
    return null;
  }
  const code = place.first ? await issueOwnerCode(services) : null;
  return code === null
    ? null
    : `\nNobody owns this installation yet. Register the owner at ${config.origin}/web/register\ninvite ${code}\n\n`;
}

const connectionsOf = (server: Server): Promise<number> => promisify(server.getConnections.bind(server))();

/** Throws when nobody could listen there now. Whoever else is faster afterwards is met by `listen`. */
async function tryPort({ port, host }: Config): Promise<void> {
  const probe = createServer();
  // By this process itself, also where workers share the port of their supervisor.
  await listen(probe, { port, host, exclusive: true });
  await promisify(probe.close.bind(probe))();
}

function listen(server: TcpServer, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const advice = LISTEN_ADVICE[error.code ?? ''];
      reject(
        advice === undefined ? error : new ConfigError(`Holdall cannot start: ${advice}`, { cause: error }),
      );
    };
    server.once('error', refuse);
    server.listen(where, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

const WRONG_HOST = 'HOST is no address of this machine. Set it to one of them, or to 0.0.0.0 for all.';
/** What to do about the reasons why a server cannot listen. */
const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Set PORT to another one.',
  EACCES: 'this port is for the system alone. Set PORT to one above 1023.',
  EADDRNOTAVAIL: WRONG_HOST,
  ENOTFOUND: WRONG_HOST,
  EAI_AGAIN: WRONG_HOST,
};

function drain(server: Server): Promise<void> {
  // 0 would be for ever.
  const closed = ending(server, 1);
  server.close();
  return closed;
}

/** As `drain`, but connections that are idle now, or will be, may bring one more request for a while. */
function retire(server: Server): Promise<void> {
  const closed = ending(server, LAST_REQUEST_MS);
  // An HTTP server's own `close` cuts idle connections, perhaps just when a request is on its way.
  TcpServer.prototype.close.call(server);
  const idle = setTimeout(() => server.closeIdleConnections(), LAST_REQUEST_MS);
  return closed.finally(() => clearTimeout(idle));
}

/**
 * Resolves once the last connection is gone. Every one ends with the request that it has or brings next, or `keepMs`
 * after an answer that had promised to keep it.
 */
function ending(server: Server, keepMs: number): Promise<void> {
  server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
    res.shouldKeepAlive = false;
  });
  server.keepAliveTimeout = keepMs;
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.once('close', () => {
      clearTimeout(cut);
      resolve();
    });
  });
}
