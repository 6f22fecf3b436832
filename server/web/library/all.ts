import { fail } from '../../../routers/base/errors.js';
import type { Kind } from '../../../routers/base/kinds.js';
import { MOST } from '../components/list/bulk.js';
import { ITEM_PAGES } from '../items.js';
import type { PageRequest } from '../request.js';

/** So many items are asked for, and change, in one step. */
const STEP = 100;

/** When the list was shown if the form below it asks for all that it has, not only on this page of it; else null. */
export const allUntil = ({ body }: PageRequest): string | null => body.filled('all') ?? null;

/** The ids of all that the list in the address has, but for what came after it was shown. */
export async function allListed({ call, query }: PageRequest, kind: Kind, shown: string): Promise<string[]> {
  const until = Number(shown);
  if (!Number.isSafeInteger(until)) fail('INVALID');
  const ids: string[] = [];
  for (let page = 0; page < MOST / STEP; page += 1) {
    const { items, total } = await ITEM_PAGES[kind].listed(call, query, { page, pageSize: STEP });
    for (const { uniqueId, createdAt } of items) if (Date.parse(createdAt) <= until) ids.push(uniqueId);
    if (items.length < STEP || (page + 1) * STEP >= total) break;
  }
  return ids;
}

/** Does something with many items, a step after the other. */
export async function inSteps(
  ids: readonly string[],
  work: (some: string[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < ids.length; from += STEP) await work(ids.slice(from, from + STEP));
}
