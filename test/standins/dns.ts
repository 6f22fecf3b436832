import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A small DNS server on a free loopback port. */
export interface DnsStandin {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** Values by `name TYPE`, in lower case: of TXT and A. Other names do not exist. */
  readonly records: Map<string, readonly string[]>;
  /** Names that get no answer. */
  readonly silent: Set<string>;
  /** Names that are refused. */
  readonly refused: Set<string>;
  /** What was asked, as `name TYPE`. */
  readonly asked: string[];
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 15: 'MX', 16: 'TXT', 28: 'AAAA' };
const MISSING = 3;
const REFUSED = 5;

/** Starts a DNS server that knows nothing yet. */
export async function startDns(): Promise<DnsStandin> {
  const socket = createSocket('udp4');
  const standin = {
    records: new Map<string, readonly string[]>(),
    silent: new Set<string>(),
    refused: new Set<string>(),
    asked: [] as string[],
  };
  socket.on('message', (query, { port, address }) => {
    const { name, end } = nameIn(query);
    const code = query.readUInt16BE(end);
    const key = `${name} ${TYPES[code] ?? code}`;
    standin.asked.push(key);
    if (standin.silent.has(name)) return;
    const values = standin.records.get(key) ?? [];
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    // Even a name that has only other values is answered as missing: nobody here looks at the difference.
    const failure = standin.refused.has(name) ? REFUSED : MISSING;
    head.writeUInt16BE(0x8180 | (values.length === 0 ? failure : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(values.length, 6);
    const answers = values.map((value) => answerOf(code, value));
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    ...standin,
    address: `127.0.0.1:${socket.address().port}`,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The name in the question, and where it ends. */
function nameIn(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function answerOf(code: number, value: string): Buffer {
  const data = code === 1 ? Buffer.from(value.split('.').map(Number)) : textOf(value);
  const head = Buffer.alloc(12);
  // The name is that of the question; the answer may be kept for no time.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** A text in pieces of up to 255 bytes. */
function textOf(value: string): Buffer {
  const pieces = value.match(/.{1,255}/gs) ?? [''];
  return Buffer.concat(
    pieces.flatMap((piece) => [Buffer.from([piece.length]), Buffer.from(piece, 'latin1')]),
  );
}
