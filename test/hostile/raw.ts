import { connect, type Socket } from 'node:net';
import { PATIENCE_MS } from '../support/until.js';

/** One answer as received over a socket. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; of a repeated one all values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

/** How a conversation continues. */
export interface Conversation {
  /** Number of answers to wait for; the socket is closed after them. */
  readonly answers?: number;
  /** The request methods, if one is HEAD: its answer has no body. */
  readonly head?: boolean;
}

/**
 * Sends bytes exactly as they are and resolves with the final answers: the requested number, or those that
 * arrived before the server closed the connection. Informational answers are kept as well.
 */
export function converse(
  port: number,
  bytes: string | Uint8Array,
  { answers: wanted = 1, head = false }: Conversation = {},
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const settle = () => {
      socket.destroy();
      resolve(parseAnswers(received, head));
    };
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy();
      reject(new Error(`no answer to ${Buffer.from(bytes).toString('latin1', 0, 200)}`));
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (parseAnswers(received, head).filter(({ status }) => status >= 200).length >= wanted) settle();
    });
    // A server that refuses may close while the client is still sending.
    socket.on('error', () => undefined);
    socket.on('close', settle);
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  });
}

/** The single answer to some bytes; throws if the server closes without one. */
export async function ask(
  port: number,
  bytes: string | Uint8Array,
  options: Conversation = {},
): Promise<RawAnswer> {
  const answer = (await converse(port, bytes, options)).at(-1);
  if (answer === undefined) throw new Error('the server closed the connection without an answer');
  return answer;
}

/** A connection that stays open until it is destroyed, even if the server has ended its side. */
export async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return socket;
}

/** The head of a request, ready for its body. */
export const headOf = (method: string, target: string, headers: Readonly<Record<string, string>>): string =>
  `${method} ${target} HTTP/1.1\r\n${Object.entries({ Host: 'localhost', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

/** Every complete answer received so far. */
function parseAnswers(bytes: Buffer, head: boolean): RawAnswer[] {
  const found: RawAnswer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) return found;
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
    const status = Number(first.split(' ')[1]);
    const headers = new Map<string, string[]>();
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase();
      headers.set(name, [...(headers.get(name) ?? []), line.slice(name.length + 1).trim()]);
    }
    const start = end + 4;
    const body = bodyAt(bytes, start, head || status < 200 || status === 204 || status === 304, headers);
    if (body === null) return found;
    found.push({ status, headers, body: body.bytes });
    at = body.end;
  }
}

function bodyAt(
  bytes: Buffer,
  start: number,
  none: boolean,
  headers: ReadonlyMap<string, readonly string[]>,
): { readonly bytes: Buffer; readonly end: number } | null {
  if (none) return { bytes: Buffer.alloc(0), end: start };
  if (headers.get('transfer-encoding')?.[0] === 'chunked') return chunksAt(bytes, start);
  const end = start + Number(headers.get('content-length')?.[0] ?? 0);
  return end > bytes.length ? null : { bytes: bytes.subarray(start, end), end };
}

function chunksAt(bytes: Buffer, start: number): { readonly bytes: Buffer; readonly end: number } | null {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size + 2;
    if (end > bytes.length) return null;
    if (size === 0) return { bytes: Buffer.concat(chunks), end };
    chunks.push(bytes.subarray(line + 2, end - 2));
    at = end;
  }
}
