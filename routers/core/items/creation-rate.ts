import type { Services } from '../context.js';

/** Bytes of texts that count like one more creation: words become findable in the transaction that stores them. */
const BYTES_OF_ONE = 16 * 1024;
/** What one request counts at most, so that none needs more than the limit allows. */
const MOST = 1_000;

/** What a request creates or changes, beside which other writers wait. */
interface Work {
  readonly items?: number;
  /** Of the texts that are made findable, as they are after it. */
  readonly bytes?: number;
}

/** Counts what an account creates or changes against the limit of creations: long texts count more than short ones. */
export const takeCreations = (
  { limits }: Services,
  accountId: number,
  { items = 1, bytes = 0 }: Work = {},
): Promise<void> =>
  limits.rates.take(
    'create',
    String(accountId),
    Math.min(MOST, Math.ceil(items) + Math.floor(bytes / BYTES_OF_ONE)),
  );
