import { type Logger, pino } from 'pino';
import { LogOutput } from './log-output.js';

export type { Logger };

/**
 * Query parameters whose values must not be logged (contract §5). `input` is that of a procedure, `next` a return
 * path, `url` an address and `source` one or a file; each may contain parameters of its own. `signature` is what clients of
 * YOURLS call a key. A name with percent-encoded characters could be
 * any of these.
 */
const SECRET_PARAMETERS =
  /([?&](?:key|apiKey|password|code|token|ticket|telCode|state|inviteCode|signature|source|input|next|url|[^=&#?%]*%[^=&#?]*)(?:\[\])?=)[^&#]*/gi;

/** Tokens, invite codes, addresses of uploads, and the secrets of share links, of links in mails and of deletions, in a path. */
const SECRET_SEGMENT =
  /(\/(?:(?:chatapp|discord)\/token|admin\/invite|upload\/resumable|(?:image|paste|collection)\/shared|web\/share|told|\.well-known\/holdall|3\/image)\/)(?!(?:get|create)(?:[?#]|$))[^/?#]+/i;

/** Path segments, and the names and values of parameters. */
const PIECE = /[^/?#&=]+/g;
const HAS_ADDRESS = /.(?:@|%40)./;

/**
 * A URL that is safe to log: the values of secret query parameters and path segments are redacted, and e-mail
 * addresses.
 */
export function redactUrl(requested: string): string {
  const url = HAS_ADDRESS.test(requested)
    ? requested.replace(PIECE, (piece) => (HAS_ADDRESS.test(piece) ? '[address]' : piece))
    : requested;
  const path = /\/(?:token|invite|resumable|shared?|told|holdall|3\/image)\//i.test(url)
    ? url.replace(SECRET_SEGMENT, '$1[redacted]')
    : url;
  return path.includes('?') ? path.replace(SECRET_PARAMETERS, '$1[redacted]') : path;
}

interface RequestLine {
  readonly id: string;
  readonly method: string;
  /** Already redacted. */
  readonly url: string;
  readonly status: number;
  readonly ms: number;
  /** The client disconnected before the response was complete. */
  readonly aborted: boolean;
}

/** The log of a process. */
export interface Logs {
  readonly log: Logger;
  /** Logs a request; null if the log level excludes request lines. */
  readonly request: ((line: RequestLine) => void) | null;
  /** Writes the buffered lines before the process exits; gives up after a second. Nothing is logged afterwards. */
  flush(): Promise<void>;
}

/** Properties of an error that are logged besides message, stack and code: facts from the system and the database. */
const FACTS: ReadonlySet<string> = new Set([
  ...['errno', 'syscall', 'path', 'address', 'port', 'status', 'reason'],
  ...['severity', 'table', 'column', 'constraint', 'routine'],
]);

/**
 * An error without other properties, such as SQL statements with their values. Its code (such as ENOENT) tells what
 * to fix; it is logged as `failure`, because the key `code` is redacted.
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

/** JSON logs on standard output; secrets in logged objects are redacted. */
export function createLogs(level: string): Logs {
  const output = new LogOutput();
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
          'headers.authorization',
          'headers["x-api-key"]',
        ],
        censor: '[redacted]',
      },
    },
    output,
  );
  return {
    log,
    request: log.isLevelEnabled('info') ? requestLogger(output) : null,
    flush: () => output.flush(),
  };
}

/** For commands: warnings and errors, one readable line each on standard error. */
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
 * Writes request lines as pino would, but without walking the object: the fields are known and none is a secret. At
 * tens of thousands of requests per second, that walk was a third of the work. Lines of one event loop turn are
 * written together.
 */
function requestLogger(output: LogOutput): (line: RequestLine) => void {
  let lines = '';
  const flush = () => {
    output.write(lines);
    lines = '';
  };
  return ({ id, method, url, status, ms, aborted }) => {
    if (lines === '') setImmediate(flush);
    lines +=
      `{"level":30,"time":"${new Date().toISOString()}","id":"${id}","method":"${method}","url":${JSON.stringify(url)},` +
      `"status":${status},"ms":${ms}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`;
  };
}
