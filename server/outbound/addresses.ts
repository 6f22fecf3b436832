import { lookup as resolveName } from 'node:dns';
import { lookup as resolveAll } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundRefused } from '../../routers/ports/outbound.js';
import { within } from '../../routers/within.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks that may be reached besides public addresses. */
export type AllowList = readonly (readonly [Address, number])[];

/** Reads `OUTBOUND_ALLOW`: CIDRs or single addresses. Throws an `Error` that names the wrong entry. */
export function parseAllowList(entries: readonly string[]): AllowList {
  return entries.map((entry) => {
    try {
      if (entry.includes('/')) return ipaddr.parseCIDR(entry);
      const address = ipaddr.parse(entry);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    } catch {
      throw new Error(`${entry} is not a network like 10.0.0.0/8`);
    }
  });
}

/** IPv6 hands out unicast addresses from here alone; what lies outside embeds, loops or stays local. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

function isAllowed(address: Address, allow: AllowList): boolean {
  return allow.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * An address, or null for what is none. IPv6 is put into hexadecimal form first: ipaddr.js takes the dotted
 * `::8.8.8.8` for the mapped `::ffff:8.8.8.8`, which is another address. An address with a zone is null.
 */
function readAddress(text: string): Address | null {
  const family = isIP(text);
  if (family === 4) return ipaddr.parse(text);
  const bracketed = `http://[${text}]/`;
  if (family === 0 || !URL.canParse(bracketed)) return null;
  return ipaddr.process(new URL(bracketed).hostname.slice(1, -1));
}

/**
 * Throws `OutboundRefused` unless the address is in the allow list or, for `https`, public unicast: for plain
 * `http` being public is not enough. IPv4 inside IPv6 counts as the IPv4 address where it is mapped and is refused otherwise.
 */
export function checkAddress(text: string, protocol: string, allow: AllowList): void {
  const address = readAddress(text);
  if (address !== null && isAllowed(address, allow)) return;
  if (protocol !== 'https:') throw new OutboundRefused('Only https is allowed for this address');
  if (address === null || !isPublic(address)) throw new OutboundRefused('The address is not public');
}

/** How long a name may take to be looked up while somebody waits, in milliseconds. */
const LOOKUP_MS = 3_000;

/**
 * Throws `OutboundRefused` unless a host can be called by http: every address of it is in the allow list. One text for
 * all reasons, so that nobody learns which names this server can look up.
 */
export async function checkName(hostname: string, allow: AllowList): Promise<void> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  try {
    const addresses = await within(LOOKUP_MS, resolveAll(literal, { all: true }));
    if (addresses === undefined) throw new Error('looking up the name took too long');
    for (const { address } of addresses) checkAddress(address, 'http:', allow);
  } catch (cause) {
    throw new OutboundRefused('Only https is allowed for this address', { cause });
  }
}

/**
 * A lookup for `node:http(s)` that passes on addresses only when every one of them is allowed. The
 * connection goes to the very addresses that were checked, so a name that changes its mind gains nothing.
 */
export function guardedLookup(
  protocol: string,
  allow: AllowList,
  resolve: typeof resolveName = resolveName,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      try {
        for (const { address } of addresses) checkAddress(address, protocol, allow);
      } catch (refusal) {
        return callback(refusal as Error, []);
      }
      const first = addresses[0];
      if (options.all === true) return callback(null, addresses);
      if (first === undefined) return callback(new Error('the name has no address'), []);
      callback(null, first.address, first.family);
    });
  };
}
