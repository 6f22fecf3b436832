import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** A client of one server life; every call rejects once that server is killed. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    readonly origin: string,
    readonly apiKey: string,
  ) {}

  /** Sends one request below `/v1`. It is an answer only when its last byte has arrived. */
  send(method: string, path: string, type?: string, body?: Buffer | string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        'x-api-key': this.apiKey,
        ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
      };
      const sent = request(
        `${this.origin}/v1${path}`,
        { method, headers, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('aborted', () => reject(new Error('cut off')));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Sends a creating request and answers the id of what was made. */
  async create(path: string, type: string, body: Buffer | string): Promise<string> {
    const answer = await this.send('POST', path, type, body);
    if (answer.status !== 200) throw new Unexpected(`POST ${path}`, answer);
    return (JSON.parse(answer.body.toString()) as { uniqueId: string }).uniqueId;
  }

  upload(bytes: Buffer): Promise<string> {
    const boundary = 'fault';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    return this.create('/image/upload', `multipart/form-data; boundary=${boundary}`, body);
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The server answered, and not as it must. A cut connection is no such thing. */
export class Unexpected extends Error {
  constructor(what: string, { status, body }: Answer) {
    super(`${what}: ${status} ${body.toString().slice(0, 300)}`);
  }
}

/** Lower-case hex. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
