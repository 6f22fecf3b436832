import cluster from 'node:cluster';
import { ConfigError } from '../shared/config-error.js';
import type { App } from './app.js';
import type { FromSupervisor } from './cluster/messages.js';
import { ownRole, workersOf } from './cluster/role.js';
import { STOP_SIGNALS, supervise } from './cluster/supervise.js';
import { type Config, readConfig } from './config/config.js';
import { createLogs, type Logs } from './logger.js';

/**
 * The time within which a process exits after it stopped listening, in milliseconds, even if background work is still
 * running; interrupted jobs run again later.
 */
const MAX_END_MS = 22_000;

/** The process: configuration, start, signals, drain. With several WORKERS it starts and supervises them. */
async function main(): Promise<void> {
  const config = readConfig();
  const logs = createLogs(config.logLevel);
  const workers = workersOf(config.workers);
  if (cluster.isWorker || workers === 1) return serve(config, logs);
  const code = await supervise(workers, config.stopDelayMs, logs.log);
  await logs.flush();
  process.exit(code);
}

async function serve(config: Config, logs: Logs): Promise<void> {
  // Without a handler the signal would end the process.
  if (cluster.isPrimary)
    process.on('SIGUSR2', () => {
      logs.log.warn({}, 'SIGUSR2 ignored: processes are replaced one by one only when WORKERS is above 1');
    });
  // Imported only here to keep a supervisor small.
  const { startApp } = await import('./app.js');
  const app = await startApp(config, logs, ownRole());
  const close = closeOnce(app, logs);
  const { phase } = app.services;
  for (const name of STOP_SIGNALS)
    process.on(name, (signal) => {
      const isFirst = !phase.stopping;
      phase.stopping = true;
      // Proxies need time to hear of it; whoever presses Ctrl-C has none. systemd and the supervisor both send SIGTERM.
      if (signal !== 'SIGTERM' || config.stopDelayMs === 0) return close({ signal }, false);
      if (!isFirst) return;
      logs.log.info({ signal, seconds: config.stopDelayMs / 1000 }, 'stopping; requests are still served');
      setTimeout(close, config.stopDelayMs, { signal }, false);
    });
  process.on('message', (message: FromSupervisor) => {
    if (message.tell === 'retire') close({}, true);
  });
}

/** Closes the app once and ends the process. */
function closeOnce(app: App, { log, flush }: Logs): (cause: object, gently: boolean) => void {
  let closing = false;
  const end = async (code: number): Promise<never> => {
    await flush();
    process.exit(code);
  };
  return (cause, gently) => {
    if (closing) return;
    closing = true;
    log.info(cause, 'draining');
    setTimeout(() => {
      log.warn({}, 'stopped before all work was finished');
      void end(0);
    }, MAX_END_MS);
    app.close({ gently }).then(
      () => {
        log.info({}, 'stopped');
        return end(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        return end(1);
      },
    );
  };
}

// Files are private to this user, including those that SQLite creates in a folder that others can enter.
process.umask(0o077);
main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else
    process.stderr.write(`Holdall cannot start: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
