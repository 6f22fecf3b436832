import { z } from 'zod';
import type { ByteRange } from './ports/storage.js';

/** The parts of an HTTP request that decide whether and which bytes are sent (RFC 9110). */
export const transferInput = z
  .object({
    head: z.boolean(),
    ifMatch: z.string().nullable(),
    ifNoneMatch: z.string().nullable(),
    ifRange: z.string().nullable(),
    range: z.string().nullable(),
  })
  .default({ head: false, ifMatch: null, ifNoneMatch: null, ifRange: null, range: null });

export type Transfer = z.output<typeof transferInput>;

/** The response to a request for content. Only `full` and `partial` send bytes. */
export const transferPlan = z.union([
  z.object({ send: z.enum(['full', 'head', 'not-modified', 'precondition-failed', 'unsatisfiable']) }),
  z.object({ send: z.literal('partial'), range: z.object({ start: z.int(), end: z.int() }) }),
]);
export type TransferPlan = z.output<typeof transferPlan>;

const stripWeak = (tag: string): string => tag.trim().replace(/^W\//, '');

function matches(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((tag) => stripWeak(tag) === etag);
}

/** One byte range; null for anything else, for which the whole content is sent. */
function parseRange(header: string, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i.exec(header.trim());
  if (match === null) return null;
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' || last === undefined ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && last !== undefined && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** Whether one of the tags is exactly this one: a weak tag never is (RFC 9110 §13.1.1). */
const names = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag);

/** Decides which part of content with this strong `etag` (quotes included) and `size` is sent. */
export function planTransfer(transfer: Transfer, etag: string, size: number): TransferPlan {
  if (transfer.ifMatch !== null && !names(transfer.ifMatch, etag)) return { send: 'precondition-failed' };
  if (transfer.ifNoneMatch !== null && matches(transfer.ifNoneMatch, etag)) return { send: 'not-modified' };
  // A range is only for GET (RFC 9110 §14.2).
  if (transfer.head) return { send: 'head' };
  const current = transfer.ifRange === null || transfer.ifRange.trim() === etag;
  const range = transfer.range !== null && current ? parseRange(transfer.range, size) : null;
  if (range === 'unsatisfiable') return { send: 'unsatisfiable' };
  return range === null ? { send: 'full' } : { send: 'partial', range };
}
