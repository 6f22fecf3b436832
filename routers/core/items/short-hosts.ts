import { KINDS, type Kind } from '../../base/kinds.js';
import type { Settings } from '../settings.js';

/** A normalised host: lower case, without the default port. */
export const canonicalHost = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '');

/** The normalised host of a URL, for comparison with requests. */
export const hostIn = (address: string): string => canonicalHost(new URL(address).host);

/** The kinds of items with short URLs on a host; all kinds for `null` and for any other host. */
export function kindsAt(settings: Settings, host: string | null): readonly Kind[] {
  const kinds = KINDS.filter((kind) => {
    const address = settings.shortUrls[kind];
    return host !== null && address !== null && hostIn(address) === host;
  });
  return kinds.length === 0 || host === hostIn(settings.origin) ? KINDS : kinds;
}
