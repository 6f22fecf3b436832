import type { IncomingMessage } from 'node:http';
import { isUsable } from '../routers/access.js';
import type { Context } from '../routers/context.js';
import { fail } from '../routers/errors.js';
import { unauthenticatedBytes } from './budget.js';
import { liftUploadRate } from './upload-rate.js';

/** What a request may hold before it is asked who sends it: nearly none are as large, and asking may cost a look-up. */
const UNASKED_BYTES = 64 * 1024;
/** The same while unauthenticated requests hold too much: enough to sign in, so that those who hold it shut nobody out. */
const SMALL_BYTES = 8 * 1024;
/** What it costs to keep one piece of a body besides its bytes. */
const PIECE_BYTES = 128;

/**
 * The body of one request on its way. What it holds counts among the bytes of unauthenticated requests until its sender
 * is known, at the latest until `end`, which has to be called however the request goes.
 */
export class IncomingBody {
  #counts = true;
  readonly #held = { memory: 0, staging: 0 };
  #refuse: (error: unknown) => void = () => undefined;

  constructor(
    readonly ctx: Context,
    readonly req: IncomingMessage,
  ) {}

  /** Counts a piece that is kept in memory; 503 when it is unauthenticated and such bodies hold too much. */
  keep(bytes: number): Promise<void> {
    return this.#count('memory', bytes + PIECE_BYTES);
  }

  /** Takes bytes back that were counted as kept, if they were, and are no longer. */
  pass(bytes: number): void {
    this.#add('memory', -Math.min(bytes, this.#held.memory));
  }

  /** Counts a piece that goes on to the staging area; 503 as for `keep`. */
  stage(bytes: number): Promise<void> {
    this.pass(bytes);
    return this.#count('staging', bytes);
  }

  /** The sender of this body is known: it counts no more, and takes its time. */
  authenticated(): void {
    this.end();
    liftUploadRate(this.req);
  }

  /** As `work`, which reads the body, but fails as soon as the body is refused: who sends it need not send the rest first. */
  untilRefused<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#refuse = reject;
      work.then(resolve, reject);
    });
  }

  /** Ends `untilRefused` with this error. */
  refuse(error: unknown): void {
    this.#refuse(error);
  }

  /** Gives back what is counted; nothing is counted afterwards. */
  end(): void {
    this.#add('memory', -this.#held.memory);
    this.#add('staging', -this.#held.staging);
    this.#counts = false;
  }

  #add(place: keyof typeof unauthenticatedBytes, bytes: number): void {
    this.#held[place] += bytes;
    unauthenticatedBytes[place].add(bytes);
  }

  async #count(place: keyof typeof unauthenticatedBytes, bytes: number): Promise<void> {
    if (!this.#counts) return;
    this.#add(place, bytes);
    if (this.#held[place] <= (unauthenticatedBytes[place].isOver ? SMALL_BYTES : UNASKED_BYTES)) return;
    if (isUsable(await this.ctx.caller())) this.end();
    else if (this.#counts && unauthenticatedBytes[place].isOver) fail('UNAVAILABLE');
  }
}
