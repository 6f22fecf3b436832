import { startApp } from './app.js';
import { ConfigError, readConfig } from './config.js';
import { createLogs } from './logger.js';

/** The process: configuration, start, signals, drain. */
async function main(): Promise<void> {
  const config = readConfig();
  const logs = createLogs(config.logLevel);
  const { log } = logs;
  const app = await startApp(config, logs);
  let closing = false;
  const stop = (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    log.info({ signal }, 'draining');
    app.close().then(
      () => {
        log.info({}, 'stopped');
        logs.flush();
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        logs.flush();
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    process.stderr.write('Holdall cannot start: the port is in use. Set PORT to another one.\n');
  } else
    process.stderr.write(`Holdall cannot start: ${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
