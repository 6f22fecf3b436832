import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { PATIENCE_MS } from '../support/until.js';
import type { Request } from './inputs/request.js';

/** An answer, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

class StaleConnection extends Error {}

/** What is cut when another request ends the session or key of its caller: each part is asked for with them. */
const ENDS_WITH_ACCESS = /\/account\/export(?:[/?]|$)/;

/** Sends requests exactly as they are written: no library normalises their path or headers. */
export class Exchange {
  readonly #agent = new Agent({ keepAlive: true });

  constructor(readonly origin: string) {}

  /** Rejects if the server cuts the connection or does not answer. */
  async send(sent: Request): Promise<Reply> {
    try {
      return await this.#once(sent);
    } catch (error) {
      // The server may close an idle connection at the moment it is reused.
      if (!(error instanceof StaleConnection)) throw error;
      return this.#once(sent);
    }
  }

  #once({ method, target, headers, body }: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(this.origin);
      const sent = request(
        { hostname, port, method, path: target, headers, agent: this.#agent, timeout: PATIENCE_MS },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          const arrived = () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              text: Buffer.concat(chunks).toString('latin1'),
            });
          answer.on('error', (error) => (ENDS_WITH_ACCESS.test(target) ? arrived() : reject(error)));
          answer.on('end', arrived);
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)));
      sent.on('error', (error: NodeJS.ErrnoException) =>
        reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new StaleConnection() : error),
      );
      sent.end(body ?? undefined);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
