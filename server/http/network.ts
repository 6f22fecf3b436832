import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What the visit log keeps of an address (VISIT_ADDRESSES). */
export type VisitAddresses = 'full' | 'truncated' | 'none';

/** Bytes that stay of an address. */
interface Kept {
  readonly ipv4: number;
  readonly ipv6: number;
}

/** The network of a provider's customers, not one of them. */
const MANY_CUSTOMERS: Kept = { ipv4: 3, ipv6: 6 };
/** One customer: of IPv6 each has at least a /64, and may take another address of it for every request. */
const ONE_CUSTOMER: Kept = { ipv4: 4, ipv6: 8 };

/** The address with the bytes after those that are kept set to zero; null for what is no address. */
function networkOf(address: string, keep: Kept): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const kept = keep[parsed.kind()];
  const bytes = parsed.toByteArray().map((byte, index) => (index < kept ? byte : 0));
  return ipaddr.fromByteArray(bytes).toString();
}

/** The address as it may be stored: as it is, its network (/24 or /48), or nothing. */
export function storedAddress(address: string | null, policy: VisitAddresses): string | null {
  if (policy === 'full' || address === null) return address;
  return policy === 'none' ? null : networkOf(address, MANY_CUSTOMERS);
}

/** What limits count an address by: the /64 of IPv6, everything else as it is. */
export const countedAddress = (address: string): string =>
  isIPv4(address) ? address : (networkOf(address, ONE_CUSTOMER) ?? address);
