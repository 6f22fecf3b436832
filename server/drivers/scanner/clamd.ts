import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import {
  type Scanner,
  ScannerUnreachable,
  ScannerUnsure,
  type Verdict,
} from '../../../routers/base/ports/scanner.js';
import type { ClamdAddress, ScannerOptions } from './options.js';

/** An answer is one line; anything longer is none. */
const MAX_ANSWER_BYTES = 4_096;
const CHUNK_BYTES = 64 * 1024;
/** Minimum speed at which it takes a file, in bytes per millisecond. */
const SLOWEST = 64;

/** The scanner that the configuration names; null for none. */
export function openScanner({ scanner }: ScannerOptions): Scanner | null {
  const { address, required, timeoutMs } = scanner;
  if (address === null) return null;
  return { required, scan: (path, signal) => scanFile(address, path, timeoutMs, signal) };
}

/** Sends a file in the form of clamd's INSTREAM command, and reads what it says of it. */
async function scanFile(
  address: ClamdAddress,
  path: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Verdict> {
  const { size } = await stat(path);
  if (signal?.aborted === true) throw new ScannerUnreachable('the time for scanning is over');
  const socket = connect(address);
  const stop = () => socket.destroy(new ScannerUnreachable('the time for scanning is over'));
  signal?.addEventListener('abort', stop, { once: true });
  socket.setTimeout(timeoutMs, () => socket.destroy(new ScannerUnreachable('the scanner is silent')));
  // It may say nothing for the limit before it takes the file, and as long before it answers; neither byte by byte.
  const late = setTimeout(
    () => socket.destroy(new ScannerUnreachable('the scanner takes too long')),
    2 * timeoutMs + size / SLOWEST,
  );
  const answer = readAnswer(socket);
  const over = new AbortController();
  // clamd answers early, and closes, if the file is larger than it takes; then sending the rest fails.
  const sent = send(path, socket, over.signal).catch(() => undefined);
  try {
    return verdictOf(await answer);
  } catch (error) {
    throw error instanceof ScannerUnreachable
      ? error
      : new ScannerUnreachable('the scanner is away', { cause: error });
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', stop);
    over.abort();
    socket.destroy();
    await sent;
  }
}

/** Writes the command, then each part of the file after its length, then a length of zero. */
async function send(path: string, socket: Socket, signal: AbortSignal): Promise<void> {
  const write = async (bytes: Buffer): Promise<void> => {
    if (!socket.write(bytes)) await once(socket, 'drain', { signal });
  };
  await write(Buffer.from('zINSTREAM\0'));
  for await (const part of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })) {
    await write(lengthOf(part.length));
    await write(part);
  }
  await write(lengthOf(0));
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (part: Buffer) => {
      text += part.toString('latin1');
      const end = text.search(/[\0\n]/);
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > MAX_ANSWER_BYTES) reject(new ScannerUnreachable('the scanner said too much'));
    });
    // A second error, after it is destroyed, is of no interest.
    socket.on('error', reject);
    socket.once('close', () => reject(new ScannerUnreachable('the scanner hung up')));
  });
}

const FOUND = ' FOUND';

/** `stream: OK`, `stream: Name FOUND`, or an error, after which nobody knows what the file is. */
function verdictOf(answer: string): Verdict {
  const colon = answer.indexOf(': ');
  if (colon >= 0 && answer.endsWith(': OK')) return { clean: true };
  const name = answer.slice(colon + 2, -FOUND.length);
  if (colon >= 0 && answer.endsWith(FOUND) && name !== '') return { clean: false, name };
  throw new ScannerUnsure(`the scanner says: ${answer.slice(0, 200)}`);
}
