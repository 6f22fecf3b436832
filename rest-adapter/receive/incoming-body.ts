import type { IncomingMessage } from 'node:http';
import { fail } from '../../routers/base/errors.js';
import type { Context, LimitServices } from '../../routers/core/context.js';
import { isUsable } from '../../routers/core/policies.js';
import { liftUploadRate } from './upload-rate.js';

/** What a request may hold before it is authenticated: nearly all are smaller, and authentication may cost a lookup. */
const UNASKED_BYTES = 64 * 1024;
/** The same while unauthenticated requests exceed their budget: enough to sign in, so that they lock nobody out. */
const SMALL_BYTES = 8 * 1024;
/** Memory overhead of keeping one chunk of a body. */
const PIECE_BYTES = 128;

/** Where a body is held. */
type Place = keyof LimitServices['unauthenticated'];

/**
 * The body of one incoming request. What it holds counts as bytes of unauthenticated requests until its
 * sender is known, or until `end`, which must always be called.
 */
export class IncomingBody {
  #counts = true;
  readonly #held = { memory: 0, staging: 0 };
  #refuse: (error: unknown) => void = () => undefined;

  constructor(
    readonly ctx: Context,
    readonly req: IncomingMessage,
  ) {}

  get #counted(): LimitServices['unauthenticated'] {
    return this.ctx.app.limits.unauthenticated;
  }

  /** Counts a chunk kept in memory; 503 if it is unauthenticated and such bodies exceed their budget. */
  keep(bytes: number): Promise<void> {
    return this.#count('memory', bytes + PIECE_BYTES);
  }

  /** Releases bytes that were counted as kept in memory, if they were. */
  pass(bytes: number): void {
    this.#add('memory', -Math.min(bytes, this.#held.memory));
  }

  /** Counts a chunk written to the staging area; 503 as for `keep`. */
  stage(bytes: number): Promise<void> {
    this.pass(bytes);
    return this.#count('staging', bytes);
  }

  /** The sender of this body is known: it no longer counts, and has no minimum upload rate. */
  authenticated(): void {
    this.end();
    liftUploadRate(this.req);
  }

  /** As `work`, which reads the body, but rejects as soon as the body is refused, without waiting for its rest. */
  untilRefused<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#refuse = reject;
      work.then(resolve, reject);
    });
  }

  /** Rejects `untilRefused` with this error. */
  refuse(error: unknown): void {
    this.#refuse(error);
  }

  /** Releases everything that is counted; nothing is counted afterwards. */
  end(): void {
    this.#add('memory', -this.#held.memory);
    this.#add('staging', -this.#held.staging);
    this.#counts = false;
  }

  #add(place: Place, bytes: number): void {
    this.#held[place] += bytes;
    this.#counted[place].add(bytes);
  }

  async #count(place: Place, bytes: number): Promise<void> {
    if (!this.#counts) return;
    this.#add(place, bytes);
    if (this.#held[place] <= (this.#counted[place].isEnded ? SMALL_BYTES : UNASKED_BYTES)) return;
    if (isUsable(await this.ctx.caller())) this.end();
    else if (this.#counts && this.#counted[place].isEnded) fail('UNAVAILABLE');
  }
}
