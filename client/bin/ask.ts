import { CommandError } from './command.js';
import { savedLogin } from './settings.js';

/** Redirects of one request that are followed. */
const MAX_REDIRECTS = 5;

/** Asks the server of an address; throws what it refuses with, in its words. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Requests to the server of an address; with the saved key if it is for that server. */
export async function asking({ origin }: URL, password: string | undefined): Promise<Ask> {
  const { HOLDALL_ORIGIN, HOLDALL_KEY } = process.env;
  const kept =
    HOLDALL_KEY && HOLDALL_ORIGIN ? { origin: HOLDALL_ORIGIN, apiKey: HOLDALL_KEY } : await savedLogin();
  const headers = {
    accept: '*/*',
    ...(kept !== null && new URL(kept.origin).origin === origin ? { 'x-api-key': kept.apiKey } : {}),
    ...(password === undefined ? {} : { 'x-password': password }),
  };
  const fetched = async (url: URL, init: RequestInit, left = MAX_REDIRECTS): Promise<Response> => {
    // A store to which bytes are redirected gets neither the key nor the password.
    const own = url.origin === origin ? { headers } : {};
    const answer = await fetch(url, { redirect: 'manual', ...init, ...own }).catch((cause: unknown) => {
      if (init.signal?.aborted) throw cause;
      throw new CommandError(`${url.origin} cannot be reached`, { cause });
    });
    const leadsTo = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
    if (leadsTo === null || init.redirect === 'manual') return answer;
    if (left === 0) throw new CommandError(`${origin} redirects without an end`);
    return fetched(new URL(leadsTo, url), init, left - 1);
  };
  return async (path, init = {}) => {
    const answer = await fetched(new URL(path, origin), init);
    if (answer.status < 400) return answer;
    const said = (await answer.json().catch(() => null)) as { readonly message?: unknown } | null;
    throw new CommandError(
      typeof said?.message === 'string' ? said.message : `the server answered ${answer.status}`,
    );
  };
}
