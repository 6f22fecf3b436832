import { type Logger, pino } from 'pino';

export type { Logger };

/** Names of query parameters and fields whose values never reach a log (contract §5, secrets at rest). */
const SECRET_PARAMETERS = /([?&](?:key|apiKey|password|code|token|telCode|state|inviteCode)=)[^&#]*/gi;

/** A URL fit for a log: the values of secret query parameters are blanked. */
export function redactUrl(url: string): string {
  return url.includes('?') ? url.replace(SECRET_PARAMETERS, '$1[redacted]') : url;
}

/** JSON logs on standard output; secrets in logged objects are blanked. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
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
  });
}
