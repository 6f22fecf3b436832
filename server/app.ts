import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { forgetExpired } from '../routers/auth/expire.js';
import { ensureOwner, issueOwnerCode } from '../routers/auth/first-owner.js';
import type { Services } from '../routers/context.js';
import type { Config } from './config.js';
import { createContextFactory } from './context.js';
import { createHttpServer } from './http.js';
import { createHandlers } from './jobs/handlers.js';
import type { Logger, Logs } from './logger.js';
import { sweepTemp } from './media/temp.js';
import { openMessengerInbox } from './messenger-poll.js';
import { alone, createMetrics } from './metrics/index.js';
import { single } from './metrics/metric.js';
import { type OpenServices, openServices, tempDirOf } from './services.js';
import { sweep } from './sweep.js';
import { openSockets } from './ws/sockets.js';

const SWEEP_EVERY_MS = 60 * 60 * 1000;
/** No media work takes that long; what is older was left by a process that died. */
const TEMP_GRACE_MS = 60 * 60 * 1000;
/** Requests that are still running this long after the drain began are cut, so that the exit keeps its promise. */
const DRAIN_MS = 25_000;

/** A running Holdall. */
export interface App {
  readonly services: OpenServices;
  readonly server: Server;
  /** Where it listens. */
  readonly address: AddressInfo;
  /** Lets running requests finish, flushes and closes everything. */
  close(): Promise<void>;
}

/** The one composition root: opens everything the configuration names, and listens. */
export async function startApp(config: Config, logs: Logs): Promise<App> {
  const { log } = logs;
  const services = await openServices(config, log);
  await prepareOwner(config, services, log);
  services.jobs.start(createHandlers(services));
  const contextOf = createContextFactory(services, { trustProxy: config.trustProxy });
  const metrics = createMetrics(async () => [
    single('holdall_http_connections', 'Open connections.', await connectionsOf(server)),
    single('holdall_hot_cache_bytes', 'Content kept in memory.', services.hot.bytes),
  ]);
  const server = createHttpServer(config, contextOf, logs, {
    app: services,
    contextOf,
    metrics,
    gather: alone,
  });
  const sockets = openSockets(server, services, config, contextOf, log);
  const sweeping = sweepRegularly(services, tempDirOf(config), log);
  await listen(server, config);
  const messenger = openMessengerInbox(config, services, log);
  const address = server.address() as AddressInfo;
  log.info({ address: `http://${config.host}:${address.port}`, origin: config.origin }, 'listening');

  return {
    services,
    server,
    address,
    close: async () => {
      clearInterval(sweeping);
      sockets.close();
      await Promise.all([messenger.stop(), drain(server)]);
      await services.jobs.stop();
      await services.db.close();
    },
  };
}

async function prepareOwner(config: Config, services: Services, log: Logger): Promise<void> {
  if (config.owner !== null) {
    if (await ensureOwner(services, config.owner))
      log.info({ username: config.owner.username }, 'owner account made');
    return;
  }
  const code = await issueOwnerCode(services);
  if (code === null) return;
  process.stdout.write(
    `\nNo account yet. Register the owner at ${config.origin}/web/register\ninvite ${code}\n\n`,
  );
}

function sweepRegularly(services: Services, tempDir: string, log: Logger): NodeJS.Timeout {
  const run = () => {
    Promise.all([sweep(services), forgetExpired(services), sweepTemp(tempDir, TEMP_GRACE_MS)]).catch(
      (error: unknown) => log.error({ err: error }, 'the sweep failed'),
    );
  };
  setImmediate(run);
  return setInterval(run, SWEEP_EVERY_MS).unref();
}

const connectionsOf = (server: Server): Promise<number> => promisify(server.getConnections.bind(server))();

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
