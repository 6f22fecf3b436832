import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Knex } from 'knex';

/** The parts of pg's client that matter here; `readyForQuery` is false while a statement waits for its answer. */
interface RawConnection {
  readonly readyForQuery: boolean | null;
  readonly connection: { readonly stream: Socket };
}

/** The part of knex's PostgreSQL client that is extended here; knex publishes no types for it. */
interface PostgresBase {
  acquireRawConnection(): Promise<RawConnection>;
}

const Base = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js') as new (
  config: Knex.Config,
) => PostgresBase;

/** Longest silence of the server while a statement waits for it, in milliseconds. */
const SILENCE_MS = 15_000;

/**
 * knex's PostgreSQL client for requests that somebody waits for: a server that is frozen, or gone without a word,
 * costs the connection, and with it the open transaction, so that nothing of it can be committed later.
 */
export class PostgresClient extends Base {
  override async acquireRawConnection(): Promise<RawConnection> {
    const connection = await super.acquireRawConnection();
    const { stream } = connection.connection;
    stream.setTimeout(SILENCE_MS, () => {
      if (connection.readyForQuery === true) return;
      stream.destroy(Object.assign(new Error('PostgreSQL does not answer'), { code: 'ETIMEDOUT' }));
    });
    return connection;
  }
}
