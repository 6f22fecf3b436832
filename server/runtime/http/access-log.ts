import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Logs, redactUrl } from '../logger.js';
import type { Metrics } from '../metrics/index.js';
import { requestIdOf } from './request-id.js';

/** Logs and counts a request when it is finished. */
export function noteWhenDone(
  write: Logs['request'],
  count: Metrics['countRequest'],
  req: IncomingMessage,
  res: ServerResponse,
): void {
  const started = performance.now();
  // Emitted only once; `once` would cost more than counting.
  res.on('close', () => {
    const ms = performance.now() - started;
    const url = req.url ?? '';
    count?.(url, res.statusCode, ms);
    write?.({
      id: requestIdOf(req),
      method: req.method ?? '',
      url: redactUrl(url),
      status: res.statusCode,
      ms: Math.round(ms),
      aborted: !res.writableFinished,
    });
  });
}
