/** Large uploads through the clients: they survive whatever happens to the connection and the server. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient, HoldallError, type UploadMemory } from '../../client/src/index.js';
import { fleetKinds, OWNER_KEY as key } from '../support/servers/fleet.js';
import { freePort, launchServer, type ServerProcess } from '../support/servers/server-process.js';
import { newDataDir } from '../support/stores/sqlite.js';
import { until } from '../support/until.js';

const test = suite('large uploads through clients');
const BYTES = randomBytes(40 * 1024 * 1024 + 11);
const HASH = createHash('sha256').update(BYTES).digest('hex');
let dataDir: string;
let file: string;
let port: string;
let origin: string;
let server: ServerProcess;

const start = async (): Promise<void> => {
  server = await launchServer({ dataDir, env: { PORT: port, BASE_URL: origin } });
  await until(() =>
    fetch(`${origin}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
};
test.before(async () => {
  dataDir = await newDataDir('resumable');
  file = join(dataDir, 'film.bin');
  await writeFile(file, BYTES);
  port = String(await freePort());
  origin = `http://127.0.0.1:${port}`;
  await start();
});
test.after(async () => {
  await server.kill();
  await rm(dataDir, { recursive: true, force: true });
});

const memory = (): UploadMemory & { readonly kept: Map<string, string> } => {
  const kept = new Map<string, string>();
  return {
    kept,
    get: (name) => kept.get(name) ?? null,
    set: (name, address) => void kept.set(name, address),
    delete: (name) => void kept.delete(name),
  };
};
const isStored = async (uniqueId: string): Promise<void> => {
  const bytes = await (await fetch(`${origin}/v1/image/get/${uniqueId}`)).arrayBuffer();
  assert.is(createHash('sha256').update(Buffer.from(bytes)).digest('hex'), HASH);
};

test('the client continues after the server was killed, and sends at most a part twice', async () => {
  const client = createClient({ origin, apiKey: key });
  let killed: Promise<void> | null = null;
  let highest = 0;
  let back = 0;
  const record = await client.upload(await openAsBlob(file), {
    name: 'film.bin',
    desc: 'killed on the way',
    onProgress: ({ sent, total }) => {
      assert.ok(sent <= total);
      back = Math.max(back, highest - sent);
      highest = Math.max(highest, sent);
      if (sent > 20 * 1024 * 1024) killed ??= server.kill().then(start);
    },
  });
  await killed;
  assert.ok(killed !== null);
  assert.ok(back <= 16 * 1024 * 1024, `the progress went back by ${back} bytes`);
  assert.equal([record.size, record.description], [BYTES.length, 'killed on the way']);
  await isStored(record.uniqueId);
});

test('another program continues what an ended one has begun', async () => {
  const client = createClient({ origin, apiKey: key });
  const shared = memory();
  const stop = new AbortController();
  const blob = await openAsBlob(file);
  const options = { name: 'film.bin', memory: shared };
  const ended = await client
    .upload(blob, {
      ...options,
      signal: stop.signal,
      onProgress: ({ sent }) => {
        if (sent > 18 * 1024 * 1024) stop.abort(new Error('closed'));
      },
    })
    .then(
      () => null,
      (error: Error) => error.message,
    );
  assert.equal([ended, shared.kept.size], ['closed', 1]);
  await server.kill();
  await start();
  let first: number | null = null;
  const record = await client.upload(blob, {
    ...options,
    onProgress: ({ sent }) => {
      first ??= sent;
    },
  });
  assert.ok((first ?? 0) > 0, 'it begins where the other got to');
  assert.is(shared.kept.size, 0);
  await isStored(record.uniqueId);
});

test('an upload that is aborted while it begins is continued', async () => {
  const stop = new AbortController();
  let begun = 0;
  const between = createServer((incoming, answer) => {
    if (incoming.method === 'POST') {
      begun += 1;
      stop.abort(new Error('paused'));
    }
    const { method, headers, url } = incoming;
    const onwards = request(`${origin}${url}`, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    incoming.pipe(onwards);
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  try {
    const { port: near } = between.address() as AddressInfo;
    const client = createClient({ origin: `http://127.0.0.1:${near}`, apiKey: key });
    const options = { name: 'film.bin', desc: 'paused at once', memory: memory() };
    const blob = await openAsBlob(file);
    const aborted = client.upload(blob, { ...options, signal: stop.signal });
    const error = await aborted.then(
      () => assert.unreachable('it was aborted'),
      (reason) => reason,
    );
    assert.is(error?.message, 'paused');
    await isStored((await client.upload(blob, options)).uniqueId);
    assert.is(begun, 1);
  } finally {
    between.close();
  }
});

test('other options are another upload; a refusal is the one of an ordinary upload', async () => {
  const shared = memory();
  const stop = new AbortController();
  const blob = await openAsBlob(file);
  const client = createClient({ origin, apiKey: key });
  await client
    .upload(blob, { memory: shared, signal: stop.signal, onProgress: () => stop.abort(new Error('closed')) })
    .catch(() => undefined);
  const hidden = await client.upload(blob, { memory: shared, private: true });
  assert.is(hidden.isPublic, false);
  assert.is(shared.kept.size, 1);
  const refusal = await createClient({ origin, apiKey: 'wrong' })
    .upload(blob, { memory: null })
    .then(
      () => null,
      (error: unknown) => error,
    );
  assert.instance(refusal, HoldallError);
  assert.is((refusal as HoldallError).reason, 'UNAUTHENTICATED');
  const taken = await client.upload(blob, { memory: null, uniqueId: hidden.uniqueId }).then(
    () => null,
    (error: HoldallError) => error.reason,
  );
  assert.is(taken, 'ID_TAKEN');
});

/** Sends a file with tus-js-client; resolves with its address. */
const byTus = async (at: () => string, options: Partial<ConstructorParameters<typeof Upload>[1]> = {}) => {
  const bytes = await readFile(file);
  return new Promise<string>((resolve, reject) => {
    const upload = new Upload(bytes as never, {
      endpoint: `${at()}/v1/image/upload/resumable`,
      headers: { 'X-API-Key': key },
      metadata: { filename: 'film.bin', filetype: 'application/octet-stream', private: 'false' },
      retryDelays: Array.from({ length: 400 }, () => 500),
      onError: reject,
      onSuccess: () => resolve(upload.url ?? ''),
      ...options,
    });
    upload.start();
  });
};
const settled = async (url: string) => {
  const look = async () => (await (await fetch(url, { headers: { 'x-api-key': key } })).json()).message;
  await until(async () => ['done', 'failed'].includes((await look()).state));
  return look();
};

for (const [name, options] of [
  ['in one request', {}],
  ['in parts', { chunkSize: 5 * 1024 * 1024 }],
  ['with a length that is said last', { chunkSize: 7 * 1024 * 1024, uploadLengthDeferred: true }],
  ['with the first bytes', { uploadDataDuringCreation: true, chunkSize: 8 * 1024 * 1024 }],
] as const)
  test(`tus-js-client sends a file ${name}`, async () => {
    const { state, image } = await settled(await byTus(() => origin, options));
    assert.equal([state, image?.originalName], ['done', 'film.bin']);
    await isStored(image.uniqueId);
  });

test('tus-js-client continues after the server was killed', async () => {
  let killed: Promise<void> | null = null;
  const url = await byTus(() => origin, {
    chunkSize: 6 * 1024 * 1024,
    onProgress: (sent) => {
      if (sent > 13 * 1024 * 1024) killed ??= server.kill().then(start);
    },
  });
  await killed;
  const { state, image } = await settled(url);
  assert.is(state, 'done');
  await isStored(image.uniqueId);
});

test.run();

for (const { name, start: startFleet } of fleetKinds()) {
  const several = suite(`large uploads: ${name}`);
  several('any process continues any upload, and one of them stores it', async () => {
    const fleet = await startFleet();
    try {
      const version = { 'tus-resumable': '1.0.0' };
      const created = await fleet.send('POST', '/image/upload/resumable', {
        key,
        headers: { ...version, 'upload-length': '1000' },
      });
      assert.is(created.status, 201);
      const path = new URL(created.headers.location ?? '').pathname;
      const small = randomBytes(1000);
      for (let offset = 0; offset < 1000; offset += 100)
        for (const [index, at] of fleet.origins.entries()) {
          const sent = await fetch(`${at}${path}`, {
            method: 'PATCH',
            headers: {
              ...version,
              connection: 'close',
              'upload-offset': String(offset + index * (100 / fleet.origins.length)),
              'content-type': 'application/offset+octet-stream',
            },
            body: small.subarray(
              offset + index * (100 / fleet.origins.length),
              offset + (index + 1) * (100 / fleet.origins.length),
            ) as BodyInit,
          });
          assert.is(sent.status, 204, await sent.text());
        }
      const look = async () => (await fleet.send('GET', path.replace('/v1', ''), { key })).body.message;
      await until(async () => (await look()).state === 'done');
      const { image } = await look();
      assert.is(image.sha256, createHash('sha256').update(small).digest('hex'));
    } finally {
      await fleet.close();
    }
  });
  several.run();
}
