import { BlockList, isIP, isIPv4 } from 'node:net';

const MAPPED = /^::ffff:(?=\d+\.)/i;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Whether an address is one of these addresses and networks (`192.0.2.7`, `2001:db8::/32`). Throws for anything else. */
export function oneOf(networks: readonly string[]): (address: string) => boolean {
  const known = new BlockList();
  for (const network of networks) {
    const [, address = '', bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(network) ?? [];
    const most = isIPv4(address) ? 32 : 128;
    if (isIP(address) === 0 || Number(bits ?? most) > most)
      throw new Error('must be addresses or networks, like 192.0.2.7 or 10.0.0.0/8');
    known.addSubnet(address, Number(bits ?? most), familyOf(address));
  }
  return (given) => {
    const address = given.replace(MAPPED, '');
    return isIP(address) !== 0 && known.check(address, familyOf(address));
  };
}

/** Who delivered a message, as far as it is known. */
interface Deliverer {
  /** Null if nobody says. */
  readonly address: string | null;
  readonly name: string;
}

/** What a server writes of its client: the name that the client gave itself, and in brackets who it is. */
const FROM = /^from\s+(\S{1,255})\s+\((?:[^\s()[\]]{1,255}\s+)?\[?(?:IPv6:)?([\da-f.:]{2,45})(?=[\])\s])/i;
const RECEIVED = /^Received[ \t]*:[ \t]*((?:[^\r\n]|\r?\n[ \t]){0,4000})/gim;
const MAX_RELAYS = 10;

/**
 * Who gave a message to the first of the servers that are trusted: the first in its `Received` headers, from the top,
 * who is none of them. What stands below was written by others.
 */
export function delivererBehind(head: string, isTrusted: (address: string) => boolean): Deliverer {
  const unknown = { address: null, name: '' };
  let seen = 0;
  for (const [, value = ''] of head.matchAll(RECEIVED)) {
    seen += 1;
    const [, name = '', address = ''] = FROM.exec(value.replace(/\s+/g, ' ')) ?? [];
    if (isIP(address) === 0 || seen > MAX_RELAYS) return unknown;
    if (!isTrusted(address)) return { address, name };
  }
  return unknown;
}
