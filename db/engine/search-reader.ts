import type { Knex } from 'knex';
import { codeOf } from './error-code.js';
import type { Binding, StatementClient } from './query.js';

/** A statement of a search was ended before it had a result: it took too long, or its caller has left. */
export class SearchEnded extends Error {}

/**
 * The connection for statements whose cost grows with the stored bytes. It is separate, so that nothing else ever
 * waits for them, and it runs one at a time.
 */
export interface SearchReader {
  /** Runs one statement; `SearchEnded` after `SEARCH_MS`, or once the signal is aborted. */
  query<T>(sql: string, bindings: readonly Binding[], left: AbortSignal): Promise<T[]>;
  close(): Promise<void>;
}

/** Longest time that one statement of a search may take, in milliseconds. */
const SEARCH_MS = 1_000;

/**
 * How long it takes until a statement is told to end again, first and at most: before it has begun, an interrupt has no
 * effect.
 */
const AGAIN_MS = { first: 50, most: 2_000 } as const;

/** What SQLite and PostgreSQL call a statement that was told to end. */
const ENDED = new Set(['SQLITE_INTERRUPT', '57014']);

/** A search reader on a pool of one connection; `interrupt` ends the statement that runs on it. */
export function createSearchReader<Connection>(
  pool: Knex,
  interrupt: (connection: Connection) => Promise<unknown>,
): SearchReader {
  const run = async <T>(sql: string, bindings: readonly Binding[], left: AbortSignal): Promise<T[]> => {
    const client = pool.client as StatementClient;
    const connection = await client.acquireConnection();
    let isEnded = false;
    let again: NodeJS.Timeout | undefined;
    let localizable: Promise<unknown> | null = null;
    /** One at a time, however long each takes. A failure to interrupt must not hide the result. */
    const tell = (pauseMs: number): void => {
      localizable = interrupt(connection as Connection)
        .catch(() => undefined)
        .then(() => {
          if (!isEnded) again = setTimeout(tell, pauseMs, Math.min(2 * pauseMs, AGAIN_MS.most));
        });
    };
    const end = () => {
      if (localizable === null) tell(AGAIN_MS.first);
    };
    const timer = setTimeout(end, SEARCH_MS);
    left.addEventListener('abort', end);
    try {
      const { response } = await client.query(connection, { sql, bindings, method: 'raw' });
      return Array.isArray(response) ? response : (response as { rows: T[] }).rows;
    } catch (error) {
      if (ENDED.has(codeOf(error))) throw new SearchEnded('a search was ended', { cause: error });
      throw error;
    } finally {
      isEnded = true;
      clearTimeout(timer);
      clearTimeout(again);
      left.removeEventListener('abort', end);
      // An interrupt that is still under way would end the next statement.
      await localizable;
      await client.releaseConnection(connection);
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    query: <T>(sql: string, bindings: readonly Binding[], left: AbortSignal) => {
      const mine = last.then(() => {
        if (left.aborted) throw new SearchEnded('the caller of a search has left');
        return run<T>(sql, bindings, left);
      });
      last = mine.catch(() => undefined);
      return mine;
    },
    close: () => pool.destroy(),
  };
}
