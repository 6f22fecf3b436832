import { createServer } from 'node:http';
import { writeFailure } from '../../../rest-adapter/failure.js';
import { DomainError } from '../../../routers/base/errors.js';
import type { Config } from '../config/config.js';
import { listen } from './listening.js';

/**
 * How long a start may take before it is told about, in milliseconds. During a shorter one a proxy finds nobody listening
 * and asks the next server, also for what it must not send twice.
 */
const LONG_MS = 1_000;

/** What asks whether a process lives, or is ready: the path of a request. */
export const PROBE = /^(?:\/v1)?\/(healthz|readyz)\/?(?:\?|$)/;

/**
 * While the server is starting and cannot serve yet, for instance because it migrates, answers `/healthz` with 200 and
 * `/readyz` with 503 at its address; everything else is cut off. Returns what ends that, after which the port is free.
 */
export function answerWhileStarting({ port, host }: Pick<Config, 'port' | 'host'>): () => Promise<void> {
  const server = createServer((req, res) => {
    const probe = PROBE.exec(req.url ?? '')?.[1];
    if (probe === undefined) return void req.socket.destroy();
    if (probe === 'readyz') return writeFailure(res, new DomainError('UNAVAILABLE'), null);
    res.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    res.end('{"error":false}');
  });
  let opening = Promise.resolve();
  const timer = setTimeout(() => {
    // `exclusive`: a worker would tell its supervisor that it serves. Nobody needs this server; the real one reports.
    opening = listen(server, { port, host, exclusive: true }).catch(() => {});
  }, LONG_MS);
  return async () => {
    clearTimeout(timer);
    await opening;
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
}
