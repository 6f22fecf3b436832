import { isIP } from 'node:net';
import type { Domain } from '../../../db/content/link/domain.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { domainIdOf, idOnDomain, slugOf } from '../../base/link-domain.js';
import type { Services } from '../context.js';
import type { Settings } from '../settings.js';
import { canonicalHost, hostIn } from './short-hosts.js';

/** The longest name of a host in DNS. */
export const MAX_HOST = 253;

/** The name of a host as it is compared: without a port and the dot at its end. */
export const nameOfHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');

const known = new WeakMap<Settings, ReadonlySet<string>>();

/** The hosts of the installation, with their ports where those are their own. */
export function ownHosts(settings: Settings): ReadonlySet<string> {
  const before = known.get(settings);
  if (before !== undefined) return before;
  const { origin, shortUrls, frontendUrl } = settings;
  const addresses = [origin, frontendUrl, ...Object.values(shortUrls)];
  const hosts = new Set(addresses.flatMap((address) => (address === null ? [] : [hostIn(address)])));
  known.set(settings, hosts);
  return hosts;
}

/** The active domain at a host; null for the hosts of the installation, which are not looked up, and for any other. */
export async function activeAt(app: Services, host: string | null): Promise<Domain | null> {
  if (host === null || app.settings.domains === 'off' || ownHosts(app.settings).has(canonicalHost(host)))
    return null;
  const name = nameOfHost(host);
  if (name.length > MAX_HOST || !name.includes('.') || isIP(name) !== 0) return null;
  const domain = await app.load.domain(name);
  return domain?.state === 'active' ? domain : null;
}

/** The host of a link; null for one of the installation. */
export async function hostOfLink(app: Services, uniqueId: string): Promise<string | null> {
  const id = domainIdOf(uniqueId);
  return id === null ? null : ((await app.load.domainById(id))?.host ?? null);
}

/** The domain of an account on which it makes a link; null for those of the installation, 400 unless it is active. */
export async function domainFor(app: Services, ownerId: number, host: string | null): Promise<Domain | null> {
  if (host === null || ownHosts(app.settings).has(canonicalHost(host))) return null;
  const domain = await activeAt(app, host);
  if (domain === null || domain.ownerId !== ownerId)
    fail('INVALID', localizable('domain: {host} is no active domain of yours', { host: nameOfHost(host) }));
  return domain;
}

/** The id of a link that is given with a host, as `?domain=` names it; an unknown host leads to no link. */
export async function idAtHost(app: Services, uniqueId: string, host: string): Promise<string> {
  if (ownHosts(app.settings).has(canonicalHost(host))) return uniqueId;
  return idOnDomain((await app.load.domain(nameOfHost(host))) ?? { id: 0 }, slugOf(uniqueId));
}

/** Refuses targets on active domains, which would lead to this service again. */
export async function requireElsewhere(app: Services, targets: readonly string[]): Promise<void> {
  const hosts = new Set(targets.map((target) => new URL(target).hostname));
  const found = await Promise.all([...hosts].map((host) => activeAt(app, host)));
  if (found.some((domain) => domain !== null))
    fail('TARGET_REFUSED', 'A short link cannot point to this service itself');
}
