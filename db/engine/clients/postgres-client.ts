import type { Socket } from 'node:net';
import type { Knex } from 'knex';
import KnexClient from 'knex/lib/dialects/postgres/index.js';

/** The parts of pg's client that are used here; `readyForQuery` is false while a statement is running. */
interface RawConnection {
  readonly readyForQuery: boolean | null;
  readonly connection: { readonly stream: Socket };
}

/** The part of knex's PostgreSQL client that is extended here; knex publishes no types for it. */
interface PostgresBase {
  acquireRawConnection(): Promise<RawConnection>;
  _query(connection: RawConnection, query: object): Promise<object>;
}

const Base = KnexClient as new (config: Knex.Config) => PostgresBase;

/** Error fields in which PostgreSQL may quote values; table, column and constraint are in other fields. */
const REVEALING_FIELDS = ['detail', 'where', 'hint', 'internalQuery'];

/** The class of errors about values; their messages end with the quoted value. */
const ABOUT_VALUES = /^22/;

/** Removes the values of the statement from a PostgreSQL error. */
function withoutValues(error: Error & { code?: string }): Error {
  for (const field of REVEALING_FIELDS) Reflect.deleteProperty(error, field);
  if (!ABOUT_VALUES.test(error.code ?? '')) return error;
  const { message } = error;
  error.message = message.replace(/".*"/s, '"[value]"');
  error.stack = error.stack?.replace(message, () => error.message) ?? '';
  return error;
}

/** Timeout for a server that sends nothing while a statement is running, in milliseconds. */
const SILENCE_MS = 15_000;

/**
 * knex's PostgreSQL client for requests: if the server hangs or disappears, the connection is closed and the
 * open transaction with it, so that nothing of it can be committed later.
 */
export class PostgresClient extends Base {
  override async acquireRawConnection(): Promise<RawConnection> {
    const connection = await super.acquireRawConnection();
    const { stream } = connection.connection;
    stream.setTimeout(SILENCE_MS, () => {
      if (connection.readyForQuery === true) return;
      stream.destroy(Object.assign(new Error('PostgreSQL does not respond'), { code: 'ETIMEDOUT' }));
    });
    return connection;
  }

  /** Called by knex for every statement. */
  override _query(connection: RawConnection, query: object): Promise<object> {
    return super._query(connection, query).catch((error: Error) => Promise.reject(withoutValues(error)));
  }
}
