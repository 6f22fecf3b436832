import ipaddr from 'ipaddr.js';

/** What the visit log keeps of an address (VISIT_ADDRESSES). */
export type VisitAddresses = 'full' | 'truncated' | 'none';

/** Bytes that stay of a truncated address: the network of a provider's customers, not one of them. */
const KEPT_BYTES = { ipv4: 3, ipv6: 6 } as const;

/** The address as it may be stored: as it is, its network (/24 or /48), or nothing. */
export function storedAddress(address: string | null, policy: VisitAddresses): string | null {
  if (policy === 'full' || address === null) return address;
  if (policy === 'none' || !ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const kept = KEPT_BYTES[parsed.kind()];
  const bytes = parsed.toByteArray().map((byte, index) => (index < kept ? byte : 0));
  return ipaddr.fromByteArray(bytes).toString();
}
