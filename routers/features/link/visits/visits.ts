import type { Link } from '../../../../db/content/link/link.js';
import type { Window } from '../../../../db/engine/paging.js';
import { type Visit, visitsOf } from '../../../../db/statistics/visit.js';
import { fail } from '../../../base/errors.js';
import { localizable } from '../../../base/language/localizable.js';
import { pageFields, windowOf } from '../../../base/paging.js';
import type { Context } from '../../../core/context.js';
import { buildAnswer } from '../../../core/large-answer.js';

/** Visits in one answer, at most. */
const MAX_VISITS = 1_000;
/** Reading older visits costs as much as reading all newer ones, so only so many can be paged through. */
const REACHED_VISITS = 100_000;

/** Memory that one visit takes in a response: its row and its record, in two lists, and both as JSON. */
export const VISIT_BYTES = 4 * 1024;

/** Input fields for a page of a visit log. */
export const visitsPage = pageFields(MAX_VISITS, MAX_VISITS);

/** The visits that an answer has if no page is requested. */
export const NEWEST_VISITS: Window = { limit: MAX_VISITS, offset: 0 };

/** The requested section of a visit log. Refuses one that begins too far back. */
export function visitsAsked(input: { readonly page: number; readonly pageSize: number }): Window {
  const asked = windowOf(input);
  if (asked.offset + asked.limit > REACHED_VISITS)
    fail('INVALID', localizable('page: only the newest {max} visits can be listed', { max: REACHED_VISITS }));
  return asked;
}

/** Builds a response with visits of a link, counted as in `buildAnswer`. */
export const withVisits = <T>(
  ctx: Context,
  url: Link,
  asked: Window,
  build: (visits: readonly Visit[]) => Promise<T>,
): Promise<T> =>
  buildAnswer(ctx, Math.min(url.visits, asked.limit) * VISIT_BYTES, async () =>
    build(await visitsOf(ctx.app.db.read, url.id, asked)),
  );
