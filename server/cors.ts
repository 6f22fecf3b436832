import type { IncomingMessage, ServerResponse } from 'node:http';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
// Some legacy clients ask for leave to send the last one.
const REQUEST_HEADERS = 'accept, content-type, x-api-key, x-password, range, access-control-allow-origin';
const EXPOSED = 'Content-Disposition, ETag, Content-Range';
const PREFLIGHT_SECONDS = '600';

/** Puts the CORS headers of contract §4 on an answer; true when the request was a preflight and is answered. */
export type Cors = (req: IncomingMessage, res: ServerResponse) => boolean;

/** CORS with credentials for these origins and nobody else. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);
  return (req, res) => {
    const { origin } = req.headers;
    if (allowed.size > 0) res.setHeader('vary', 'Origin');
    const known = origin !== undefined && allowed.has(origin);
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
    res.writeHead(204);
    res.end();
    return true;
  };
}
