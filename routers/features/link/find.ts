import { z } from 'zod';
import { domainOf } from '../../../db/content/link/domain.js';
import type { Link } from '../../../db/content/link/link.js';
import { found } from '../../base/errors.js';
import type { AccountContext, Context } from '../../core/context.js';
import { idAtHost, nameOfHost, ownHosts } from '../../core/items/domains.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { canonicalHost } from '../../core/items/short-hosts.js';

/** How a request names a link: by its id, on the host of a domain or on the installation. */
export const linkId = { uniqueId: uniqueIdInput, host: z.string().max(300).nullish() };

/** A link, by its id. */
export const byId = z.object(linkId);

/** The host of the domain that a link is put on; null and "" for the installation. */
export const domainField = z
  .string()
  .trim()
  .max(300)
  .transform((host) => host || null)
  .nullish();

/** What names a link. */
export interface NamedLink {
  readonly uniqueId: string;
  readonly host?: string | null | undefined;
}

/** The link that a request names, even if it can no longer be followed; 404 if there is none. */
export async function findLink({ app }: Context, { uniqueId, host = null }: NamedLink): Promise<Link> {
  return found(await app.load.url(host === null ? uniqueId : await idAtHost(app, uniqueId, host)));
}

/** The domain of the caller whose links a list is of: null for the installation, undefined for all; 404 for other hosts. */
export async function domainAsked(
  { app, account }: AccountContext,
  host: string | null | undefined,
): Promise<number | null | undefined> {
  if (host == null) return undefined;
  if (ownHosts(app.settings).has(canonicalHost(host))) return null;
  return found(await domainOf(app.db.read, account.id, nameOfHost(host))).id;
}
