/** Clients that are slow, stop midway or never come back: others are served, and nothing of them remains. */
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER, type ServerProcess, startServer } from '../support/servers/server-process.js';
import { newDataDir } from '../support/stores/sqlite.js';
import { until } from '../support/until.js';
import { filesIn, openIn } from './guarantees.js';
import { ask, headOf, open } from './raw.js';

/** Concurrent clients. */
const MANY = 200;
const MIB = 1024 * 1024;
/** More than the buffers of all sockets between client and server hold. */
const LARGE = Buffer.alloc(24 * MIB, 'large');
/** What a server that has received it may discard. */
const GARBAGE = Buffer.alloc(4 * MIB, 'garbage');
const KEY = { 'X-API-Key': OWNER.OWNER_API_KEY };

const test = suite('slow and aborted clients');
let dataDir: string;
let server: ServerProcess;
let port: number;
let large: string;
let base: Awaited<ReturnType<typeof openIn>>;
let slim: { resident: number; held: number };
test.before(async () => {
  dataDir = await newDataDir('clients');
  server = await startServer({ dataDir });
  port = Number(new URL(server.origin).port);
  large = JSON.parse((await upload(LARGE)).body.toString()).uniqueId;
  await works();
  await until(async () => (await openIn(server.pid, dataDir)).sockets <= 8);
  base = await openIn(server.pid, dataDir);
  slim = { resident: await residentMebibytes(), held: await heldMebibytes() };
});

test.after(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const multipart = (bytes: Buffer, announced = bytes.length) => {
  const before = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
  const after = '\r\n--b--\r\n';
  const head = headOf('POST', '/v1/image/upload', {
    ...KEY,
    'Content-Type': 'multipart/form-data; boundary=b',
    'Content-Length': String(before.length + announced + after.length),
  });
  return { head, before, body: Buffer.concat([Buffer.from(head + before), bytes, Buffer.from(after)]) };
};
const upload = (bytes: Buffer) => ask(port, multipart(bytes).body);

const residentMebibytes = async () =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${server.pid}/status`, 'latin1'))?.[1]) / 1024;

/** The values of `/metrics`; throws for unknown names. */
async function metric(...names: readonly string[]): Promise<number> {
  const metrics = (await ask(port, headOf('GET', '/metrics', KEY))).body.toString();
  const values = names.map((name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1]));
  assert.not.ok(values.some(Number.isNaN), names.join());
  return values.reduce((sum, value) => sum + value, 0);
}

/**
 * Memory that the program itself holds. The C library keeps some of what was freed, depending on
 * fragmentation.
 */
const heldMebibytes = async () =>
  (await metric('nodejs_heap_used_bytes', 'nodejs_external_memory_bytes')) / MIB;

/** Other clients are served: a read, a write and a redirect. */
async function works(): Promise<void> {
  assert.is((await ask(port, headOf('GET', '/v1/status', {}))).status, 200);
  const json = '{"text":"hello"}';
  const headers = { ...KEY, 'Content-Type': 'application/json', 'Content-Length': String(json.length) };
  assert.is((await ask(port, `${headOf('POST', '/v1/paste/create', headers)}${json}`)).status, 200);
  assert.is((await upload(Buffer.from('small'))).status, 200);
}

/**
 * Waits until the process holds what it held before: no work, socket, file or staged byte of these clients.
 */
async function nothingStays(): Promise<void> {
  // One of the connections is that of the metrics request.
  await until(async () => (await metric('holdall_http_requests_under_way')) === 1);
  await until(async () => {
    const { sockets, files } = await openIn(server.pid, dataDir);
    const left = (await filesIn(dataDir, 'staging')) + (await filesIn(dataDir, 'tmp'));
    return sockets <= base.sockets && files <= base.files && left === 0;
  });
}

const crowd = <T>(make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: MANY }, (_, index) => make(index)));
const leave = (sockets: readonly Socket[]) => {
  for (const socket of sockets) socket.destroy();
};

const starts: Readonly<Record<string, (index: number) => string | Buffer>> = {
  'nothing at all': () => '',
  'half a request line': () => 'GET /v1/st',
  'headers that never end': () => `GET /v1/status HTTP/1.1\r\nHost: x\r\nX-Slow: `,
  'a form that never comes': () => multipart(Buffer.alloc(0), MIB).head,
  'a form cut in the head of its part': () => `${multipart(Buffer.alloc(0), MIB).head}--b\r\nContent-Disp`,
  'a file that never ends': (index) =>
    Buffer.concat([
      Buffer.from(multipart(Buffer.alloc(0), MIB).head + multipart(Buffer.alloc(0)).before),
      Buffer.alloc(1 + index * 300, 'x'),
    ]),
  'a raw file that never ends': (index) =>
    headOf('POST', '/v1/image/upload?filename=a.bin', { ...KEY, 'Content-Length': String(MIB) }) +
    'x'.repeat(1 + index * 300),
  'JSON that never ends': () =>
    `${headOf('POST', '/v1/paste/create', { ...KEY, 'Content-Type': 'application/json', 'Content-Length': '9999' })}{"te`,
  'chunks that never end': () =>
    `${headOf('POST', '/v1/paste/create', { ...KEY, 'Transfer-Encoding': 'chunked' })}5\r\nhel`,
  'an archive that never ends': () =>
    multipart(Buffer.alloc(0), MIB).head.replace('/upload', '/upload/zip') +
    multipart(Buffer.alloc(0)).before +
    'PK\x03\x04',
};

for (const [what, bytes] of Object.entries(starts)) {
  test(`${MANY} clients that send ${what} and then vanish`, async () => {
    const sockets = await crowd(async (index) => {
      const socket = await open(port);
      socket.write(bytes(index));
      return socket;
    });
    await works();
    leave(sockets);
    await nothingStays();
    await works();
  });
}

const bodies: Readonly<Record<string, string>> = {
  'multipart/form-data; boundary=b':
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext',
  'application/json': '{"text":"te',
  'application/x-www-form-urlencoded': 'text=te',
};
const receivers = [
  '/v1/image/upload',
  '/v1/image/upload/zip',
  '/v1/image/register',
  '/v1/paste/create',
  '/v1/url/create',
  '/v1/email/inbound',
  '/v1/auth/login',
  '/trpc/paste.create',
  '/web/image-upload',
  '/web/paste-create',
  '/web/url-create',
  '/web/login',
];

for (const [type, body] of Object.entries(bodies)) {
  test(`${type}: clients that vanish before their body is requested are forgotten`, async () => {
    const headers = { ...KEY, 'Content-Type': type, 'Content-Length': '9999' };
    await Promise.all(
      receivers.flatMap((path) =>
        Array.from({ length: 20 }, async (_, index) => {
          const socket = await open(port);
          await new Promise((sent) => socket.write(headOf('POST', path, headers) + body, sent));
          if (index % 2 === 0) socket.destroy();
          else socket.resetAndDestroy();
        }),
      ),
    );
    await nothingStays();
    await works();
  });
}

test('pipelined requests on one connection wait in a bounded number, and others are served between them', async () => {
  const ahead = (count: number) => Buffer.from(headOf('GET', '/v1/status', {}).repeat(count));
  const patient = await open(port);
  let answers = '';
  patient.setEncoding('latin1').on('data', (text: string) => {
    answers += text;
  });
  patient.write(ahead(500));
  await until(() => answers.split('HTTP/1.1 200').length === 501);
  patient.destroy();
  const greedy = await open(port);
  let isCut = false;
  const cut = () => {
    isCut = true;
  };
  // Where everything was read before, the server's end is all that comes: this side stays open until it is destroyed.
  greedy.once('end', cut).once('close', cut).resume().write(ahead(50_000));
  await until(() => isCut);
  greedy.destroy();
  await works();
});

test('refused clients that stay connected or keep sending are cut off', async () => {
  const sockets = await crowd(async (index) => {
    const socket = await open(port);
    const offer = { Connection: 'Upgrade', Upgrade: 'websocket' };
    const refused = [
      headOf('POST', '/ws/nowhere', offer),
      headOf('GET', '/ws/nowhere', offer),
      headOf('CONNECT', 'localhost:1', {}),
      'no request at all\r\n\r\n',
    ];
    socket.write(`${refused[index % refused.length]}${'and on '.repeat(index * 100)}`);
    socket.resume();
    return socket;
  });
  await nothingStays();
  leave(sockets);
});

test(`${MANY} clients that read the start of a large file, then stop reading and vanish`, async () => {
  const sockets = await crowd(async () => {
    const socket = await open(port);
    socket.write(headOf('GET', `/v1/image/get/${large}`, {}));
    await once(socket, 'data');
    socket.pause();
    return socket;
  });
  await works();
  leave(sockets);
  await nothingStays();
});

test('a slow reader gets every byte', async () => {
  const socket = await open(port);
  const chunks: Buffer[] = [];
  socket.write(headOf('GET', `/v1/image/get/${large}`, { Connection: 'close' }));
  for await (const chunk of socket) {
    chunks.push(chunk);
    await new Promise(setImmediate);
  }
  const all = Buffer.concat(chunks);
  assert.ok(all.subarray(all.indexOf('\r\n\r\n') + 4).equals(LARGE));
  await nothingStays();
});

test('uploads and downloads that are aborted at any stage leave nothing behind', async () => {
  const { body } = multipart(Buffer.alloc(300_000, 'y'));
  const cuts = Array.from({ length: MANY }, (_, index) => Math.round((body.length * index) / (MANY - 1)));
  await Promise.all(
    cuts.map(async (cut) => {
      const socket = await open(port);
      await new Promise((resolve) => socket.write(body.subarray(0, cut), resolve));
      socket.destroy();
    }),
  );
  const reads = await crowd(async (index) => {
    const socket = await open(port);
    socket.write(headOf('GET', `/v1/image/get/${large}`, { Range: `bytes=${index * 1000}-` }));
    return { socket, enough: index * 10_000 };
  });
  await Promise.all(
    reads.map(async ({ socket, enough }) => {
      let read = 0;
      for await (const chunk of socket) {
        read += chunk.length;
        if (read >= enough) break;
      }
    }),
  );
  await nothingStays();
  await works();
});

test('clients that close their side are released, and the answered ones got the whole answer', async () => {
  const sockets = await crowd(async () => {
    const socket = await open(port);
    socket.end(headOf('GET', '/v1/status', {}));
    return socket;
  });
  for (const answer of await Promise.all(sockets.map((socket) => socket.toArray())))
    assert.match(Buffer.concat(answer).toString(), /^(?:$|HTTP\/1\.1 200 OK[\s\S]*}$)/);
  await nothingStays();
});

test('afterwards memory returns close to its initial level', async () => {
  await until(async () => {
    // Memory is collected while work is done, and sooner with more work.
    for (let turn = 0; turn < 10; turn += 1) await Promise.all([works(), upload(GARBAGE)]);
    return (await heldMebibytes()) < slim.held + 40;
  });
  const resident = await residentMebibytes();
  assert.ok(resident < slim.resident + 200, `${slim.resident} MiB became ${resident}`);
});

test.run();
