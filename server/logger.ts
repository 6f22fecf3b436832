import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

/**
 * Query parameters whose values never reach a log (contract §5); `input` is that of a procedure, `next` a way back and
 * `url` an address, each with parameters of its own. A name with percent-encoded characters may be any of these.
 */
const SECRET_PARAMETERS =
  /([?&](?:key|apiKey|password|code|token|telCode|state|inviteCode|input|next|url|[^=&#?%]*%[^=&#?]*)(?:\[\])?=)[^&#]*/gi;

/** Tokens and invite codes that stand in a path. */
const SECRET_SEGMENT =
  /(\/(?:(?:chatapp|discord)\/token|admin\/invite)\/)(?!(?:get|create)(?:[?#]|$))[^/?#]+/i;

/** A URL fit for a log: the values of secret query parameters and path segments are blanked. */
export function redactUrl(url: string): string {
  const path = /\/(?:token|invite)\//i.test(url) ? url.replace(SECRET_SEGMENT, '$1[redacted]') : url;
  return path.includes('?') ? path.replace(SECRET_PARAMETERS, '$1[redacted]') : path;
}

/** One line a request. */
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  /** Already redacted. */
  readonly url: string;
  readonly status: number;
  readonly ms: number;
  /** The client went away before the answer was complete. */
  readonly aborted: boolean;
}

/** The log of a process. */
export interface Logs {
  readonly log: Logger;
  /** Logs a request; null where the level keeps request lines out. */
  readonly request: ((line: RequestLine) => void) | null;
  /** Writes out what is still held back, at the end of the process; gives up after two seconds. */
  flush(): void;
}

/** Lines are gathered up to this many bytes, or for `FLUSH_MS`, before they are written. */
const BUFFER_BYTES = 8 * 1024;
const FLUSH_MS = 200;
/** What may wait for a reader that has stopped reading; lines beyond it are lost. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
/** How often the last lines are offered to such a reader, 100 ms apart, before the process ends without them. */
const LAST_TRIES = 20;

/** What an error may tell beside message, stack and code: facts of the system and the database. */
const FACTS: ReadonlySet<string> = new Set([
  ...['errno', 'syscall', 'path', 'address', 'port', 'status', 'reason'],
  ...['severity', 'table', 'column', 'constraint', 'routine'],
]);

/**
 * An error without whatever else it carries, statements with their values for instance. Its code, ENOENT for instance,
 * tells what to mend; under its own name it would pass for a secret.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = pino.stdSerializers.err(error);
  return {
    type,
    message,
    stack,
    ...Object.fromEntries(Object.entries(error).filter(([name]) => FACTS.has(name))),
    failure: 'code' in error ? error.code : undefined,
    ...(error instanceof AggregateError ? { errors: error.errors.map(describeError) } : {}),
  };
}

/** JSON logs on standard output; secrets in logged objects are blanked. */
export function createLogs(level: string): Logs {
  let tries = Number.POSITIVE_INFINITY;
  const destination = pino.destination({
    fd: 1,
    maxLength: MOST_WAITING_BYTES,
    retryEAGAIN: () => tries-- > 0,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
  });
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      redact: {
        paths: [
          'password',
          'apiKey',
          'token',
          'code',
          '*.password',
          '*.apiKey',
          '*.token',
          '*.code',
          'headers.cookie',
        ],
        censor: '[redacted]',
      },
    },
    destination,
  );
  return {
    log,
    request: log.isLevelEnabled('info') ? requestLogger(destination) : null,
    flush: () => {
      tries = LAST_TRIES;
      try {
        destination.flushSync();
      } catch {
        // Whoever reads the log has stopped; nobody is left to be told.
        destination.destroy();
      }
    },
  };
}

/** For commands: warnings and what is worse, a line each on standard error, for people. */
export const createCommandLogger = (): Logger =>
  pino(
    { level: 'warn', serializers: { err: describeError } },
    {
      write: (line: string) => {
        const { msg, reason } = JSON.parse(line);
        process.stderr.write(`holdall: ${reason === undefined ? msg : `${msg} (${reason})`}\n`);
      },
    },
  );

/**
 * Writes request lines as pino would, without its walk over the object: their fields are known, none of them
 * is a secret, and at tens of thousands of requests a second that walk was a third of the work. Lines of one
 * turn are handed over together.
 */
function requestLogger(destination: DestinationStream): (line: RequestLine) => void {
  let lines = '';
  const flush = () => {
    destination.write(lines);
    lines = '';
  };
  return ({ id, method, url, status, ms, aborted }) => {
    if (lines === '') setImmediate(flush);
    lines +=
      `{"level":30,"time":"${new Date().toISOString()}","id":"${id}","method":"${method}","url":${JSON.stringify(url)},` +
      `"status":${status},"ms":${ms}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`;
  };
}
