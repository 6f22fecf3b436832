/** Writes small database files of addresses (mmdb), as https://maxmind.github.io/MaxMind-DB/ describes them. */

/** What a record can hold here. */
export type MmdbValue = string | number | { readonly [name: string]: MmdbValue };

/** What a file says of itself. */
interface About {
  readonly ipVersion?: 4 | 6;
  readonly type?: string;
  /** Epoch seconds. */
  readonly built?: number;
}

/** Nothing, the place of a record in the data section, or two more. */
type Node = null | number | [Node, Node];

/** Bytes of the gap between tree and data, and of half a node. */
const GAP = 16;
const HALF = 3;

/** A file in which networks, such as `192.0.2.0/24` and `2001:db8::/32`, have these records. */
export function mmdb(networks: Readonly<Record<string, MmdbValue>>, about: About = {}): Buffer {
  const { ipVersion = 6, type = 'Test-Country', built = 1_790_000_000 } = about;
  const data: Buffer[] = [];
  let root: Node = [null, null];
  for (const [network, record] of Object.entries(networks)) {
    const place = data.reduce((sum, { length }) => sum + length, 0);
    data.push(encoded(record));
    root = inserted(root, bitsOf(network, ipVersion), place);
  }
  const tree = treeOf(root);
  const metadata = encoded({
    ...{ binary_format_major_version: 2, binary_format_minor_version: 0, build_epoch: built },
    ...{ database_type: type, ip_version: ipVersion, node_count: tree.length / (2 * HALF) },
    record_size: HALF * 8,
  });
  const marker = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')]);
  return Buffer.concat([tree, Buffer.alloc(GAP), ...data, marker, metadata]);
}

/** The bits of a network's prefix; addresses of IPv4 are the first ones of IPv6. */
function bitsOf(network: string, ipVersion: 4 | 6): string {
  const [address = '', length] = network.split('/');
  const isShort = !address.includes(':');
  const own = isShort ? bitsOfIPv4(address) : bitsOfIPv6(address);
  return (isShort && ipVersion === 6 ? '0'.repeat(96) : '') + own.slice(0, Number(length));
}

const bitsOfIPv4 = (address: string): string =>
  address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');

function bitsOfIPv6(address: string): string {
  const [head = [], tail = []] = address.split('::').map((side) => side.split(':').filter(Boolean));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('');
}

function inserted(node: Node, bits: string, place: number): Node {
  if (bits === '') return place;
  const [left, right] = Array.isArray(node) ? node : [null, null];
  return bits.startsWith('0')
    ? [inserted(left, bits.slice(1), place), right]
    : [left, inserted(right, bits.slice(1), place)];
}

function treeOf(root: [Node, Node] | Node): Buffer {
  const nodes: [Node, Node][] = [];
  const numbers = new Map<Node, number>();
  const number = (node: Node) => {
    if (!Array.isArray(node)) return;
    numbers.set(node, nodes.push(node) - 1);
    node.forEach(number);
  };
  number(root);
  const tree = Buffer.alloc(nodes.length * 2 * HALF);
  const halfOf = (node: Node): number => {
    if (typeof node === 'number') return nodes.length + GAP + node;
    return numbers.get(node) ?? nodes.length;
  };
  for (const [index, node] of nodes.flat().entries()) tree.writeUIntBE(halfOf(node), index * HALF, HALF);
  return tree;
}

/** Texts, numbers (as 32 bits) and maps of them. */
function encoded(value: MmdbValue): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  if (typeof value === 'string')
    return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)]);
  const entries = Object.entries(value);
  return Buffer.concat([control(7, entries.length), ...entries.flat().map(encoded)]);
}

/** The type of a value and its size, of which all here are below 285. */
const control = (type: number, size: number): Buffer =>
  Buffer.from(size < 29 ? [(type << 5) | size] : [(type << 5) | 29, size - 29]);
