import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { lookup as resolveAll } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OutboundRefused } from '../../../routers/base/ports/outbound.js';
import { within } from '../../../routers/base/text/within.js';
import { createConcurrencyLimit } from '../../../routers/base/turns.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks that may be reached in addition to public addresses. */
export type AllowList = readonly (readonly [Address, number])[];

/** Parses `OUTBOUND_ALLOW`: CIDRs or single addresses. Throws an `Error` that names the invalid entry. */
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

/** The only range of global IPv6 unicast; other addresses embed IPv4, or are loopback or local. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
}

function isAllowed(address: Address, allow: AllowList): boolean {
  return allow.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * Parses an address; null if it is not one. IPv6 is converted to hexadecimal form first, because ipaddr.js reads the
 * dotted `::8.8.8.8` as the mapped `::ffff:8.8.8.8`, a different address. An address with a zone is null.
 */
function readAddress(text: string): Address | null {
  const family = isIP(text);
  if (family === 4) return ipaddr.parse(text);
  const bracketed = `http://[${text}]/`;
  if (family === 0 || !URL.canParse(bracketed)) return null;
  return ipaddr.process(new URL(bracketed).hostname.slice(1, -1));
}

/**
 * Throws `OutboundRefused` unless the address is in the allow list or, for `https`, public unicast; for plain `http`
 * only the allow list counts. A mapped IPv4 address counts as IPv4; other embedded IPv4 is refused.
 */
export function checkAddress(text: string, protocol: string, allow: AllowList): void {
  const address = readAddress(text);
  if (address !== null && isAllowed(address, allow)) return;
  if (protocol !== 'https:') throw new OutboundRefused('Only https is allowed for this address');
  if (address === null || !isPublic(address)) throw new OutboundRefused('The address is not public');
}

/**
 * Names that users choose are looked up few at a time: each that gets no answer holds a thread, of which our own names need
 * some. The others wait, as long as their requests do.
 */
const lookups = createConcurrencyLimit({
  atOnce: 4,
  waiting: 64,
  patienceMs: 10_000,
  busy: () => Object.assign(new Error('too many names are being looked up'), { code: 'EAI_AGAIN' }),
});

/** Timeout of a name lookup while somebody waits, in milliseconds. */
const LOOKUP_MS = 3_000;

/**
 * Throws `OutboundRefused` unless a host may be called by http: all of its addresses must be in the allow list. The
 * message is the same for all reasons, so that nobody learns which names this server can resolve.
 */
export async function checkName(hostname: string, allow: AllowList): Promise<void> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  try {
    const addresses = await within(
      LOOKUP_MS,
      lookups(() => resolveAll(literal, { all: true })),
    );
    if (addresses === undefined) throw new Error('looking up the name took too long');
    for (const { address } of addresses) checkAddress(address, 'http:', allow);
  } catch (cause) {
    throw new OutboundRefused('Only https is allowed for this address', { cause });
  }
}

/**
 * A lookup for `node:http(s)` that returns addresses only if all of them are allowed. The connection uses exactly the
 * addresses that were checked, so DNS rebinding has no effect.
 */
export function guardedLookup(
  protocol: string,
  allow: AllowList,
  resolve: typeof resolveName = resolveName,
): LookupFunction {
  return (hostname, options, callback) => {
    const looking = lookups(
      () =>
        new Promise<LookupAddress[]>((done, refuse) =>
          resolve(hostname, { ...options, all: true }, (error, addresses) =>
            error ? refuse(error) : done(addresses),
          ),
        ),
    );
    const checked = looking.then((addresses) => {
      for (const { address } of addresses) checkAddress(address, protocol, allow);
      return addresses;
    });
    checked.then(
      (addresses) => {
        const first = addresses[0];
        if (options.all === true) return callback(null, addresses);
        if (first === undefined) return callback(new Error('the name has no address'), []);
        callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
