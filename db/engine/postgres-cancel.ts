import { once } from 'node:events';
import { connect } from 'node:net';

/** What a connection knows of the process that serves it; pg's client has it. */
export interface Served {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** The number that marks a request to cancel in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;
const LENGTH = 16;
const PATIENCE_MS = 5_000;

/**
 * Asks for the end of the statement that runs on a connection, by a connection of its own, as the protocol has it. A
 * pooler such as PgBouncer passes that on to the right process, while `pg_cancel_backend` would get a number that the
 * pooler made up. Rejects if nobody could be asked.
 */
export async function cancelStatement({ host, port, processID, secretKey }: Served): Promise<void> {
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(LENGTH);
  request.writeInt32BE(LENGTH, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('PostgreSQL does not respond')));
  socket.resume().write(request);
  // The server closes it once it has passed on the request.
  await once(socket, 'close');
}
