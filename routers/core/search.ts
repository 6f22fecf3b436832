import type { SearchMatches } from '../../db/engine/paging.js';
import { SearchEnded } from '../../db/engine/search-reader.js';
import { fail } from '../base/errors.js';
import type { AccountContext } from './context.js';

/**
 * Reads a list with a text that is searched for; "" and null find everything. Searches take turns, of which one
 * account has only a few (429), and end when they take too long (400) or when their caller leaves.
 */
export async function seeking<T>(
  {
    app,
    account,
    onFinished,
  }: Pick<AccountContext, 'app' | 'onFinished'> & {
    readonly account: { readonly id: number | string };
  },
  text: string | null | undefined,
  find: (matches: SearchMatches | null) => Promise<T>,
): Promise<T> {
  if (text === undefined || text === null || text === '') return find(null);
  const leaving = new AbortController();
  onFinished(() => leaving.abort());
  return app.limits.searches(String(account.id), async () => {
    try {
      return await find({ text, left: leaving.signal });
    } catch (error) {
      if (error instanceof SearchEnded) fail('SEARCH_TOO_LONG', { cause: error });
      throw error;
    }
  });
}
