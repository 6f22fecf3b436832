import { KINDS, type Kind } from '../db/content.js';
import type { Settings } from './context.js';

/** A host as addresses have it: in lower case, without the port that goes without saying. */
export const canonicalHost = (host: string): string => host.toLowerCase().replace(/:(?:80|443)$/, '');

/** The host that an address names, as requests to it are recognised. */
export const hostIn = (address: string): string => canonicalHost(new URL(address).host);

/** The kinds whose items have their short address at a host; all of them at `null`, the host of all else. */
export function kindsAt(settings: Settings, host: string | null): readonly Kind[] {
  const kinds = KINDS.filter((kind) => {
    const address = settings.shortUrls[kind];
    return host !== null && address !== null && hostIn(address) === host;
  });
  return kinds.length === 0 || host === hostIn(settings.origin) ? KINDS : kinds;
}
