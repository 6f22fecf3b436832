/** A prepared statement of the driver. `run` takes one step, `all` reads every row. */
interface Statement {
  run(bindings: readonly unknown[], done: Done): void;
  all(bindings: readonly unknown[], done: Done): void;
  finalize(done: () => void): void;
}

type Done = (this: { lastID: number; changes: number }, error: Error | null, rows?: unknown[]) => void;

/** What of a driver's connection prepares statements. */
export interface StatementSource {
  prepare(sql: string, done: (error: Error | null) => void): Statement;
}

/** What came of a statement. */
export interface Outcome {
  readonly rows: unknown[] | undefined;
  readonly lastID: number;
  readonly changes: number;
}

/** Statements kept prepared; of more, those not used for longest are prepared anew. */
const KEPT = 128;

/**
 * Keeps the statements of one connection prepared: to parse a statement costs more than most take to run. Values
 * are bound, so that the same few texts come again and again.
 */
export class StatementCache {
  /** In order of last use, the oldest first. */
  private readonly kept = new Map<string, Statement>();

  constructor(private readonly connection: StatementSource) {}

  /** Runs a statement; rejects with the driver's error. */
  run(sql: string, bindings: readonly unknown[], how: 'run' | 'all'): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const statement = this.take(sql, reject);
      statement[how](bindings, function (error, rows) {
        if (error) reject(error);
        // The statement itself is used again, so what it tells of this run is copied.
        else resolve({ rows, lastID: this.lastID, changes: this.changes });
      });
    });
  }

  /** Lets go of all statements; the connection can be closed then. */
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
