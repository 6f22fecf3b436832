import type { IncomingMessage, ServerResponse } from 'node:http';
import { TUS_REQUEST_HEADERS, TUS_RESPONSE_HEADERS } from '../../../rest-adapter/tus.js';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
/** Some legacy clients list `access-control-allow-origin`, tracing adds `sentry-trace` and `baggage` to every request. */
const REQUEST_HEADERS = [
  ...[
    'accept',
    'content-type',
    'x-api-key',
    'authorization',
    'x-password',
    'range',
    'if-match',
    'if-none-match',
  ],
  ...['cache-control', 'trpc-accept', 'sentry-trace', 'baggage', 'access-control-allow-origin'],
  ...TUS_REQUEST_HEADERS,
].join(', ');
const EXPOSED = ['Content-Disposition', 'ETag', 'Content-Range', ...TUS_RESPONSE_HEADERS].join(', ');
const PREFLIGHT_SECONDS = '600';

/** CORS (contract §4) for a list of origins. */
interface Cors {
  /** Adds the headers for an allowed origin; returns true if the request was a preflight, which is then answered. */
  readonly admit: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** The `Vary` value for every response, even without an origin, because caches share them; null without origins. */
  readonly vary: string | null;
}

/** Allows CORS with credentials for the origins that are in the configuration at that moment only. */
export function createCors(config: { readonly corsOrigins: readonly string[] }): Cors {
  const varies = () => (config.corsOrigins.length > 0 ? 'Origin' : null);
  const admit = (req: IncomingMessage, res: ServerResponse): boolean => {
    const { origin } = req.headers;
    const known = origin !== undefined && config.corsOrigins.includes(origin);
    if (known) {
      res.setHeader('access-control-allow-origin', origin);
      res.setHeader('access-control-allow-credentials', 'true');
      res.setHeader('access-control-expose-headers', EXPOSED);
    }
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return false;
    if (known) {
      res.setHeader('access-control-allow-methods', METHODS);
      res.setHeader('access-control-allow-headers', REQUEST_HEADERS);
      res.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
    }
    const vary = varies();
    res.writeHead(204, vary === null ? {} : { vary });
    res.end();
    return true;
  };
  return {
    admit,
    get vary() {
      return varies();
    },
  };
}
