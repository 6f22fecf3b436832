/** A prepared statement of the driver. `run` takes one step, `all` reads every row. */
interface Statement {
  run(bindings: readonly unknown[], done: Done): void;
  all(bindings: readonly unknown[], done: Done): void;
  finalize(done: () => void): void;
}

type Done = (this: { lastID: number; changes: number }, error: Error | null, rows?: unknown[]) => void;

/** The part of a driver's connection that prepares statements. */
export interface StatementSource {
  prepare(sql: string, done: (error: Error | null) => void): Statement;
}

interface Outcome {
  readonly rows: unknown[] | undefined;
  readonly lastID: number;
  readonly changes: number;
}

/** Maximum number of prepared statements; the least recently used ones are dropped. */
const KEPT = 128;

/**
 * Caches the prepared statements of one connection: parsing a statement costs more than running most of them.
 * Values are bound, so the same few texts recur.
 */
export class StatementCache {
  /** Ordered by last use, oldest first. */
  private readonly kept = new Map<string, Statement>();

  constructor(private readonly connection: StatementSource) {}

  /** Runs a statement; rejects with the driver's error. */
  run(sql: string, bindings: readonly unknown[], how: 'run' | 'all'): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const statement = this.take(sql, reject);
      statement[how](bindings, function (error, rows) {
        if (error) reject(error);
        // Copied, because the next run of the statement overwrites these values.
        else resolve({ rows, lastID: this.lastID, changes: this.changes });
      });
    });
  }

  /** Finalizes all statements, so that the connection can be closed. */
  async finalize(): Promise<void> {
    const all = [...this.kept.values()];
    this.kept.clear();
    await Promise.all(all.map((statement) => new Promise<void>((done) => statement.finalize(done))));
  }

  private take(sql: string, failed: (error: Error) => void): Statement {
    const known = this.kept.get(sql);
    if (known !== undefined) {
      this.kept.delete(sql);
      this.kept.set(sql, known);
      return known;
    }
    const statement = this.connection.prepare(sql, (error) => {
      if (error === null) return;
      this.kept.delete(sql);
      failed(error);
    });
    this.kept.set(sql, statement);
    for (const [oldest, unused] of this.kept) {
      if (this.kept.size <= KEPT) break;
      this.kept.delete(oldest);
      unused.finalize(() => undefined);
    }
    return statement;
  }
}
