import ipaddr from 'ipaddr.js';
import type { Extent } from '../../db/system/block.js';

type Address = ReturnType<typeof ipaddr.process>;

const hexOf = (bytes: readonly number[]): string =>
  bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The bytes of an address as one of IPv6, where those of IPv4 have a network of their own. */
const wide = (address: Address): number[] =>
  address.kind() === 'ipv4'
    ? [...Array(10).fill(0), 255, 255, ...address.toByteArray()]
    : address.toByteArray();

/** An address as 32 hexadecimal digits, so that networks are ranges of texts; null if it is no address. */
export const addressDigits = (address: string): string | null =>
  ipaddr.isValid(address) ? hexOf(wide(ipaddr.process(address))) : null;

/** A network: how it is written, and what it covers. */
export interface Network extends Extent {
  readonly value: string;
}

/** Reads `192.0.2.0/24`, `2001:db8::/32` or one address; null if it is neither. */
export function readNetwork(text: string): Network | null {
  const [base = '', bits, ...more] = text.trim().split('/');
  if (more.length > 0 || !ipaddr.isValid(base) || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
    return null;
  const given = ipaddr.parse(base);
  const address = ipaddr.process(base);
  const size = address.toByteArray().length * 8;
  // Of an IPv4 address written as one of IPv6, the prefix counts from its beginning there.
  const asked = bits === undefined ? size : Number(bits) - (given.kind() === address.kind() ? 0 : 96);
  if (asked < 0 || asked > size) return null;
  const bytes = address.toByteArray();
  const bound = (fill: 0 | 255) =>
    bytes.map((byte, index) => {
      const kept = Math.min(8, Math.max(0, asked - index * 8));
      const mask = (0xff << (8 - kept)) & 0xff;
      return (byte & mask) | (fill & ~mask & 0xff);
    });
  const first = ipaddr.fromByteArray(bound(0));
  return {
    value: `${first.toString()}/${asked}`,
    first: hexOf(wide(first)),
    last: hexOf(wide(ipaddr.fromByteArray(bound(255)))),
  };
}
