import { z } from 'zod';

/** The bytes that one request adds to an upload. Only this process can create one, so JSON never passes as one. */
export class IncomingPart {
  constructor(
    /** Fails if the client goes away before the end. */
    readonly chunks: AsyncIterable<Uint8Array>,
    /** The number of bytes, if the client says it. */
    readonly announced: number | null,
    /** Whether it is of the type that the protocol asks for. */
    readonly isTyped: boolean,
    /** The sender is known to be allowed to send it, at any speed. */
    readonly known: () => void,
    /** Makes `chunks` fail with 423, because another request takes over. */
    readonly end: () => void,
    /** For how long the next bytes have been waited for, in milliseconds; 0 while they are arriving. */
    readonly idleMs: () => number,
  ) {}
}

/** The bytes of a request as a procedure's input. */
export const incomingPartInput = z
  .custom<IncomingPart>((value) => value instanceof IncomingPart, {
    error: 'Send the bytes as the body of the request',
  })
  .meta({ override: { type: 'string', format: 'binary' } });
