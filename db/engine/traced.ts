import { tracingChannel } from 'node:diagnostics_channel';

/** A statement that runs, with `?` for its values. */
interface TracedStatement {
  readonly sql: string;
  readonly database: 'sqlite' | 'postgres';
}

/** Tells of each statement that `query` runs, to whoever traces it; costs nothing while nobody does. */
export const statements = tracingChannel<unknown, TracedStatement>('holdall.statement');
