import { isIP } from 'node:net';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { MAX_HOST, nameOfHost, ownHosts } from '../../core/items/domains.js';
import type { Settings } from '../../core/settings.js';

/** The name of a host that an account adds, in ASCII; 400 for what cannot be one. */
export async function readHost(given: string, settings: Settings): Promise<string> {
  const text = given.trim().replace(/\.$/, '');
  const url = URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`) : null;
  const isBare = url !== null && !/[/?#@\\:]/.test(text) && url.pathname === '/';
  const host = url?.hostname ?? '';
  if (!isBare || host.length > MAX_HOST || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(host))
    fail('INVALID', 'host: enter the name of a host like go.example.com, without http:// and a path');
  if (isIP(host) !== 0) fail('INVALID', 'host: an address is no name of a host');
  // The list of public suffixes is large, and most installations never need it.
  const { parse } = await import('tldts');
  const { domain, isIp, publicSuffix } = parse(host, { allowPrivateDomains: true, validateHostname: true });
  if (isIp || domain === null || publicSuffix === null || publicSuffix === host)
    fail('INVALID', localizable('host: {host} is no name that somebody can have for themselves', { host }));
  const own = [...ownHosts(settings)].map(nameOfHost);
  if (own.includes(host) || settings.mailDomains.includes(host))
    fail('INVALID', localizable('host: {host} belongs to this installation', { host }));
  return host;
}
