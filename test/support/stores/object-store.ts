import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { S3Location } from '../../../server/drivers/storage/s3/client.js';
import { freePort } from '../servers/server-process.js';
import { skipping } from '../skip.js';

/**
 * The bucket in the TEST_S3_* variables set by `.ci/object-store.sh`; null without one, as reported by
 * `skipping`.
 */
export function testBucket(env: NodeJS.ProcessEnv = process.env): S3Location | null {
  const endpoint = env.TEST_S3_ENDPOINT ?? '';
  if (endpoint === '') {
    skipping('no S3 server; eval "$(.ci/object-store.sh start)" starts one');
    return null;
  }
  return {
    endpoint,
    region: env.TEST_S3_REGION ?? 'us-east-1',
    bucket: env.TEST_S3_BUCKET ?? 'tests',
    accessKeyId: env.TEST_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.TEST_S3_SECRET_ACCESS_KEY ?? '',
    forcePathStyle: true,
  };
}

/**
 * A new bucket for one test file. A server sweeps what its database does not refer to, so servers with
 * different databases must not share one. Null without an S3 server, like `testBucket`.
 */
export async function ownBucket(): Promise<S3Location | null> {
  const shared = testBucket();
  if (shared === null) return null;
  const bucket = `${shared.bucket}-${randomBytes(6).toString('hex')}`;
  const { accessKeyId, secretAccessKey, region } = shared;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const { status } = await client.fetch(`${shared.endpoint}/${bucket}`, { method: 'PUT' });
  if (status !== 200) throw new Error(`no bucket could be made: ${status}`);
  return { ...shared, bucket };
}

/** The variables that make a server store its files there. */
export const bucketEnv = (bucket: S3Location): Record<string, string> => ({
  S3_ENDPOINT: bucket.endpoint,
  S3_REGION: bucket.region,
  S3_BUCKET: bucket.bucket,
  S3_ACCESS_KEY_ID: bucket.accessKeyId,
  S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
});

/** What happens to one request: nothing, or a fault of the connection or the server. */
export type Fault =
  | 'none'
  | 'server error'
  /** 503, like servers that ask for fewer requests. */
  | 'slow down'
  /** 403, like servers whose policy does not permit the request. */
  | 'forbidden'
  /** 400. */
  | 'invalid argument'
  | 'silence'
  /** Accepts half of the request body, then resets the connection. */
  | 'reset at half'
  /** Half of the promised bytes, then the connection ends. */
  | 'cut at half'
  /** Headers and half of the bytes, then silence. */
  | 'stall at half'
  /** The server does the work, but its answer never arrives. */
  | 'lost answer'
  /** The answer arrives a few bytes at a time, fast enough that the connection does not seem dead. */
  | 'trickle'
  /** Answers 200 with this text, and the server never receives the request. */
  | { readonly say: string }
  /** Changes a header of the answer. */
  | { readonly header: string; readonly value: string };

/** A proxy in front of an HTTP server that can be made to fail. */
export interface FaultyLine {
  readonly url: string;
  /** Method and path with query of every request so far, in order. */
  readonly seen: string[];
  /** Called for each request; set it to cause faults. */
  fault: (method: string, path: string) => Fault;
  /** Resets all connections and refuses new ones, until `mend`. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** Answers that do not involve the server. */
const ANSWERS = {
  'server error': [500, '<Error><Code>InternalError</Code></Error>'],
  'slow down': [503, '<Error><Code>SlowDown</Code></Error>'],
  forbidden: [403, '<Error><Code>AccessDenied</Code></Error>'],
  'invalid argument': [400, '<Error><Code>InvalidArgument</Code></Error>'],
} as const;
/** How an answer trickles: bytes at a time, and the pause between them in milliseconds. */
const TRICKLE = { bytes: 64, pauseMs: 20 } as const;

/** Forwards between a client and the server at `target`, changing nothing until `fault` says otherwise. */
export async function faultyLine(target: string): Promise<FaultyLine> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    line.seen.push(`${method} ${url}`);
    // Some servers take a leading slash, others refuse it.
    const refused = String(incoming.headers['x-amz-copy-source'] ?? '').startsWith('/');
    carry(incoming, outgoing, { hostname, port }, refused ? 'invalid argument' : line.fault(method, url));
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  // Nobody's connection may be given the port while it is cut.
  const own = await freePort();
  await listen(own);
  const line: FaultyLine = {
    url: `http://127.0.0.1:${own}`,
    seen: [],
    fault: () => 'none',
    cut: close,
    mend: () => listen(own),
    close,
  };
  return line;
}

function carry(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: { hostname: string; port: string },
  fault: Fault,
): void {
  outgoing.on('error', () => undefined);
  if (fault === 'silence' || isAnswer(fault) || isSaying(fault)) {
    incoming.resume();
    if (fault === 'silence') return;
    const [status, text] = isSaying(fault) ? [200, fault.say] : ANSWERS[fault];
    outgoing.writeHead(status).end(text);
    return;
  }
  if (fault === 'reset at half') {
    resetAtHalf(incoming);
    return;
  }
  const { method, url, headers } = incoming;
  // The signature covers the Host header, so it is forwarded unchanged.
  const onward = request({ ...target, method, path: url, headers, agent: false }, (answer) => {
    if (fault === 'lost answer') {
      answer.resume().once('end', () => outgoing.destroy());
      return;
    }
    const changed = typeof fault === 'object' && 'header' in fault ? { [fault.header]: fault.value } : {};
    outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...changed });
    if (method === 'HEAD') {
      // Swift sends a body with a HEAD that finds nothing, which ends this connection with an error.
      outgoing.end();
      return;
    }
    if (fault === 'trickle') {
      pipeline(answer, trickling, outgoing).catch(() => undefined);
      return;
    }
    if (fault !== 'cut at half' && fault !== 'stall at half') {
      answer.pipe(outgoing);
      return;
    }
    let left = Math.floor(Number(answer.headers['content-length']) / 2);
    answer.on('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, left));
      left = Math.max(0, left - chunk.length);
    });
    answer.once('end', () => {
      if (fault === 'cut at half') outgoing.write('', () => outgoing.destroy());
    });
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.once('close', () => onward.destroy());
  incoming.pipe(onward);
}

const isAnswer = (fault: Fault): fault is keyof typeof ANSWERS =>
  typeof fault === 'string' && fault in ANSWERS;

const isSaying = (fault: Fault): fault is { readonly say: string } =>
  typeof fault === 'object' && 'say' in fault;

function resetAtHalf(incoming: IncomingMessage): void {
  let left = Math.floor(Number(incoming.headers['content-length'] ?? 0) / 2);
  const take = (chunk: Buffer) => {
    left -= chunk.length;
    if (left <= 0) incoming.socket.resetAndDestroy();
  };
  incoming.on('data', take);
  incoming.once('end', () => incoming.socket.resetAndDestroy());
}

async function* trickling(answer: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of answer) {
    for (let at = 0; at < chunk.length; at += TRICKLE.bytes) {
      yield chunk.subarray(at, at + TRICKLE.bytes);
      await delay(TRICKLE.pauseMs);
    }
  }
}
