import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The part of an address that the visit log keeps (VISIT_ADDRESSES). */
export type VisitAddresses = 'full' | 'truncated' | 'none';

/** Number of leading bytes of an address that are kept. */
interface Kept {
  readonly ipv4: number;
  readonly ipv6: number;
}

/** A network of many customers, which does not identify one of them. */
const MANY_CUSTOMERS: Kept = { ipv4: 3, ipv6: 6 };
/** One customer. With IPv6, each has at least a /64 and can use a different address for every request. */
const ONE_CUSTOMER: Kept = { ipv4: 4, ipv6: 8 };

/** The address with the bytes that are not kept set to zero; null if it is not an address. */
function networkOf(address: string, keep: Kept): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const kept = keep[parsed.kind()];
  const bytes = parsed.toByteArray().map((byte, index) => (index < kept ? byte : 0));
  return ipaddr.fromByteArray(bytes).toString();
}

/**
 * The address in an entry of `X-Forwarded-For`, as proxies write it: with a port, in brackets or quotes, with a zone.
 * In one spelling for each address, so that limits and logs see one client; null if there is none.
 */
export function addressIn(entry: string): string | null {
  const text = entry.trim();
  if (isIPv4(text)) return text;
  const bare = text.replace(/^"(.*)"$/, '$1').trim();
  const host = /^\[([^\]]*)\](?::\d+)?$/.exec(bare)?.[1] ?? /^([\d.]+):\d+$/.exec(bare)?.[1] ?? bare;
  const [address = ''] = host.split('%', 1);
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/** The address as it may be stored: in full, as a network (/24 or /48), or not at all. */
export function storedAddress(address: string | null, policy: VisitAddresses): string | null {
  if (policy === 'full' || address === null) return address;
  return policy === 'none' ? null : networkOf(address, MANY_CUSTOMERS);
}

/** The key by which limits count an address: the /64 for IPv6, the address itself otherwise. */
export const countedAddress = (address: string): string =>
  isIPv4(address) ? address : (networkOf(address, ONE_CUSTOMER) ?? address);
