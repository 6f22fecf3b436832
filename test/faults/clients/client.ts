import { createHash } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The envelope of a success, with a message whose shape the caller knows. */
export interface Envelope {
  readonly uniqueId: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly message: any;
}

/** The boundary between the parts of `fileForm`. */
export const BOUNDARY = 'fault';

/** The bytes of a form with one file. */
export function fileForm(bytes: Buffer, name: string): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** A client for one run of the server; every call rejects once that server is killed. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true });

  constructor(
    readonly origin: string,
    readonly apiKey: string,
  ) {}

  /** Sends one request below `/v1`. It counts as answered only when the last byte has arrived. */
  send(
    method: string,
    path: string,
    type?: string,
    body?: Buffer | string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        'x-api-key': this.apiKey,
        ...more,
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
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
            }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Sends a request that must succeed and reads the envelope of its answer. */
  async ask(method: string, path: string, type?: string, body?: Buffer | string): Promise<Envelope> {
    const answer = await this.send(method, path, type, body);
    if (answer.status !== 200 && answer.status !== 202) throw new Unexpected(`${method} ${path}`, answer);
    return JSON.parse(answer.body.toString());
  }

  /** Like `ask`, with a JSON body. */
  json(method: string, path: string, body: object): Promise<Envelope> {
    return this.ask(method, path, 'application/json', JSON.stringify(body));
  }

  /** Sends a file as a form, as browsers do. */
  upload(bytes: Buffer, { path = '/image/upload', name = 'x.bin' } = {}): Promise<Envelope> {
    return this.ask('POST', path, `multipart/form-data; boundary=${BOUNDARY}`, fileForm(bytes, name));
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The server gave a wrong answer, as opposed to a cut connection. */
export class Unexpected extends Error {
  constructor(
    what: string,
    readonly answer: Answer,
  ) {
    super(`${what}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
  }
}

/** Lower-case hex. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
