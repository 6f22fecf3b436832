import type { PageRequest } from '../request.js';

/** The hosts of the account on which it can have links. */
export async function hostsOf({ domain }: PageRequest['call']): Promise<string[]> {
  const { domains } = await domain.list();
  return domains.filter(({ state }) => state === 'active').map(({ host }) => host);
}
