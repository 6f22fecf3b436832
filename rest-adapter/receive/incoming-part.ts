import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../routers/base/errors.js';
import { IncomingPart } from '../../routers/features/upload/incoming.js';
import { mediaType } from './body.js';
import type { IncomingBody } from './incoming-body.js';

/** The type of bytes that belong to a resumable upload. */
export const PART_TYPE = 'application/offset+octet-stream';

/** The body of a request, for a procedure that reads it while it arrives. */
export function incomingPart(incoming: IncomingBody): IncomingPart {
  const { req } = incoming;
  const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
  const body = new EndableBody(req);
  return new IncomingPart(
    body.chunks(),
    coding === undefined ? Number(length ?? 0) : null,
    mediaType(req) === PART_TYPE,
    () => incoming.authenticated(),
    () => body.end(),
    () => body.idleMs(),
  );
}

/** A body whose reader can be told to stop: the request is answered, and the rest of it read and discarded. */
class EndableBody {
  #isEnded = false;
  #waitingSince: number | null = null;
  #stopWaiting: (error: unknown) => void = () => undefined;

  constructor(private readonly req: IncomingMessage) {}

  async *chunks(): AsyncGenerator<Uint8Array> {
    const iterator = this.req.iterator({ destroyOnReturn: false });
    try {
      for (let next = await this.#next(iterator); next.done !== true; next = await this.#next(iterator))
        yield next.value;
    } finally {
      // Its listener would keep the rest from being read and discarded. Not awaited: it ends with the next bytes.
      void iterator.return?.().then(
        () => this.#isEnded && this.req.resume(),
        () => undefined,
      );
    }
  }

  #next(iterator: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
    if (this.#isEnded) return Promise.reject(new DomainError('UPLOAD_BUSY'));
    this.#waitingSince = performance.now();
    return new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      this.#stopWaiting = reject;
      iterator.next().then(resolve, reject);
    }).finally(() => {
      this.#waitingSince = null;
    });
  }

  end(): void {
    this.#isEnded = true;
    this.#stopWaiting(new DomainError('UPLOAD_BUSY'));
  }

  idleMs(): number {
    return this.#waitingSince === null ? 0 : performance.now() - this.#waitingSince;
  }
}
