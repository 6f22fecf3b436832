import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** What a connection knows of the process that serves it, and of the way to it; pg's client has it. */
export interface Served {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
  /** How it is encrypted: false for not at all. */
  readonly ssl: pg.ConnectionConfig['ssl'];
  readonly sslNegotiation: string;
}

/** The parts of pg's connection that it publishes no types for. */
interface Line extends pg.Connection {
  /** The encrypted one as soon as there is one. */
  readonly stream: Socket;
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

const PATIENCE_MS = 5_000;

/**
 * Asks for the end of the statement that runs on a connection, by a connection of its own that is encrypted in the same
 * way, as the protocol has it. A pooler such as PgBouncer passes that on to the right process, while
 * `pg_cancel_backend` would get a number that the pooler made up. Rejects if nobody could be asked.
 */
export async function cancelStatement(served: Served): Promise<void> {
  const { host, port, processID, secretKey, ssl, sslNegotiation } = served;
  if (processID === null || secretKey === null) return;
  const { default: pg } = await import('pg');
  const line = new pg.Connection({ ssl, sslNegotiation } as pg.ConnectionConfig) as Line;
  const raw = line.stream;
  // Whoever waits below is told; later ones, of a line that is given up, concern nobody.
  line.on('error', () => undefined);
  raw.setTimeout(PATIENCE_MS, () => raw.destroy(new Error('PostgreSQL does not respond')));
  line.once('connect', () => {
    if (!ssl) line.cancel(processID, secretKey);
    else if (sslNegotiation !== 'direct') line.requestSsl();
  });
  line.once('sslconnect', () => line.cancel(processID, secretKey));
  try {
    if (host.startsWith('/')) line.connect(`${host}/.s.PGSQL.${port}`);
    else line.connect(port, host);
    // The server closes it once it has passed on the request.
    await once(line, 'end');
  } finally {
    line.stream.destroy();
    raw.destroy();
  }
}
