import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A scanner on a free loopback port that speaks clamd's INSTREAM and finds one word. */
export interface ClamdStandin {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** How it answers: as it should, never, by hanging up, or that the file is too large. */
  mood: 'well' | 'silent' | 'rude' | 'overfed';
  /** How many files it looks at before it says nothing any more. */
  patience: number;
  /** The files it was sent. */
  readonly seen: Buffer[];
  close(): Promise<void>;
}

/** The content in which it finds `Test-Signature`. */
export const MALWARE = 'this is malware';

const COMMAND = 'zINSTREAM\0';

/** The file in what was sent; null until the part of length zero has arrived. */
function fileIn(sent: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= sent.length; ) {
    const length = sent.readUInt32BE(at);
    if (length === 0) return Buffer.concat(parts);
    parts.push(sent.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

/** Starts a scanner. */
export async function startClamd(): Promise<ClamdStandin> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    let sent = Buffer.alloc(0);
    socket.on('data', (part: Buffer) => {
      if (standin.mood === 'silent' || standin.patience === 0) return;
      if (standin.mood === 'rude') return void socket.destroy();
      if (standin.mood === 'overfed') return void socket.end('INSTREAM size limit exceeded. ERROR\0');
      sent = Buffer.concat([sent, part]);
      const file = fileIn(sent);
      if (file === null) return;
      standin.seen.push(file);
      standin.patience -= 1;
      const found = sent.subarray(0, COMMAND.length).toString() === COMMAND && file.includes(MALWARE);
      socket.end(found ? 'stream: Test-Signature FOUND\0' : 'stream: OK\0');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const standin: ClamdStandin = {
    address: `127.0.0.1:${port}`,
    mood: 'well',
    patience: Number.POSITIVE_INFINITY,
    seen: [],
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standin;
}
