import { IncomingPart } from '../../routers/upload/incoming.js';
import { mediaType } from './body.js';
import type { IncomingBody } from './incoming-body.js';

/** The type of bytes that belong to a resumable upload. */
export const PART_TYPE = 'application/offset+octet-stream';

/** The body of a request, for a procedure that reads it while it arrives. */
export function incomingPart(incoming: IncomingBody): IncomingPart {
  const { req } = incoming;
  const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
  return new IncomingPart(
    req.iterator({ destroyOnReturn: false }),
    coding === undefined ? Number(length ?? 0) : null,
    mediaType(req) === PART_TYPE,
    () => incoming.authenticated(),
    () => void req.destroy(),
  );
}
