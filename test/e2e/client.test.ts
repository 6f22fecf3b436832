import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink } from '@trpc/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AppRouter, createClient, HoldallError } from '../../client/src/index.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';

let server: TestServer;
let user: TestAccount;
const clientOf = (apiKey?: string) =>
  createClient({ origin: server.origin, ...(apiKey === undefined ? {} : { apiKey }) });

const calls = suite('client: procedures over /trpc');
calls.before(async () => {
  server = await startServer();
  user = await server.account();
});
calls.after(() => server.close());

/** The error of a call. */
const failure = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => Promise.reject(new Error('was not refused')),
    (error: Error) => error,
  );

calls('a link is created, followed and read with full types', async () => {
  const { api } = clientOf(user.key);
  const link = await api.url.create.mutate({ url: 'example.com', maxUses: 2 });
  assert.is(link.originalUrl, 'https://example.com');
  assert.is((await api.url.visit.mutate({ uniqueId: link.uniqueId })).location, 'https://example.com');
  assert.is((await api.url.get.query({ uniqueId: link.uniqueId })).visits, 1);
});

calls('concurrent large calls are sent separately, and all arrive', async () => {
  const { api } = clientOf(user.key);
  const text = 'x'.repeat(1_000_000);
  const pastes = await Promise.all(Array.from({ length: 10 }, () => api.paste.create.mutate({ text })));
  assert.is(new Set(pastes.map(({ uniqueId }) => uniqueId)).size, 10);
});

calls('an aborted call is not sent, whatever else is batched with it', async () => {
  const { api } = clientOf(user.key);
  const [given, kept] = await Promise.allSettled([
    api.url.create.mutate(
      { url: 'example.com', uniqueId: 'given-up' },
      { signal: AbortSignal.abort(new Error('no')) },
    ),
    api.url.create.mutate({ url: 'example.com', uniqueId: 'kept-on' }),
  ]);
  assert.is(given.status === 'rejected' && given.reason.message, 'no');
  assert.is(kept.status, 'fulfilled');
  assert.is((await failure(api.url.get.query({ uniqueId: 'given-up' }))).message, 'Resource not found');
});

calls('queries with long inputs are all sent at once', async () => {
  const { api } = clientOf(user.key);
  const { uniqueId } = await api.url.create.mutate({ url: 'example.com' });
  // Nobody asks for this password, as the link has none.
  const password = '文'.repeat(100);
  const found = await Promise.all(
    Array.from({ length: 20 }, () => api.url.get.query({ uniqueId, password })),
  );
  assert.is(found.length, 20);
});

calls('items that are already gone do not prevent the deletion of the others', async () => {
  const { api, upload } = clientOf(user.key);
  const stored = await Promise.all(
    ['a', 'b'].map((text) => upload(new Blob([text]), { name: `${text}.txt` })),
  );
  const ids = stored.map(({ uniqueId }) => uniqueId);
  assert.is(
    (await api.library.deleteImages.mutate({ ids: [ids[0] ?? '', 'NOSUCHID', ids[1] ?? ''] })).deleted,
    2,
  );
  const strange = await clientOf(server.owner.key).upload(new Blob(['c']), { name: 'c.txt' });
  const mine = await upload(new Blob(['d']), { name: 'd.txt' });
  await failure(api.library.deleteImages.mutate({ ids: [mine.uniqueId, strange.uniqueId] }));
  assert.is((await api.image.info.query({ uniqueId: mine.uniqueId })).uniqueId, mine.uniqueId);
});

calls('a refusal is a HoldallError with status and reason', async () => {
  const { api } = clientOf();
  const wrong = async (call: Promise<unknown>) => {
    try {
      await call;
    } catch (error) {
      assert.instance(error, HoldallError);
      return error as HoldallError;
    }
    throw new Error('was not refused');
  };
  const missing = await wrong(api.paste.get.query({ uniqueId: 'NOSUCHID' }));
  assert.is(missing.status, 404);
  assert.is(missing.reason, 'NOT_FOUND');
  assert.is(missing.message, 'Resource not found');
  assert.is((await wrong(api.url.create.mutate({ url: 'example.com' }))).status, 401);
  const invalid = await wrong(clientOf(user.key).api.url.create.mutate({ url: 'example.com', maxUses: 0 }));
  assert.is(invalid.status, 400);
  const nobody = createClient({ origin: 'http://127.0.0.1:9' });
  assert.is((await wrong(nobody.api.site.status.query())).reason, 'NETWORK');
});

calls('concurrent calls share a request, and are split above the maximum', async () => {
  const { api } = clientOf(user.key);
  const link = await api.url.create.mutate({ url: 'example.com' });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => api.url.get.query({ uniqueId: link.uniqueId })),
  );
  assert.is(answers.length, 50);
  const paths = Array.from({ length: 21 }, () => 'site.status').join(',');
  const batch = await fetch(`${server.origin}/trpc/${paths}?batch=1&input={}`);
  assert.is(batch.status, 400);
  assert.not.match(await batch.text(), /"stack"/);
});

calls('the links of tRPC work as they are, with queries in a body, and with streamed answers', async () => {
  const at = { url: `${server.origin}/trpc`, headers: { 'x-api-key': user.key }, maxItems: 20 };
  for (const link of [
    httpBatchLink(at),
    httpBatchLink({ ...at, methodOverride: 'POST' }),
    httpLink({ ...at, methodOverride: 'POST' }),
    httpBatchStreamLink(at),
  ]) {
    const api = createTRPCClient<AppRouter>({ links: [link] });
    const { uniqueId } = await api.url.create.mutate({ url: 'example.com' });
    const found = await Promise.all(Array.from({ length: 30 }, () => api.url.get.query({ uniqueId })));
    assert.is(found.filter(({ visits }) => visits === 0).length, 30);
  }
});

calls('the typed side is strict about a number that REST accepts as text', async () => {
  await server.request('POST', '/url/create', {
    key: user.key,
    form: new URLSearchParams({ url: 'example.com', maxUses: '7' }),
  });
  const call = clientOf(user.key).api.url.create.mutate({
    url: 'example.com',
    maxUses: '7' as unknown as number,
  });
  await call.then(
    () => assert.unreachable(),
    (error) => assert.is(error.status, 400),
  );
});

calls('a file cannot be smuggled in as JSON', async () => {
  const response = await fetch(`${server.origin}/trpc/image.upload`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': user.key },
    body: JSON.stringify({ file: { blob: { path: '/etc/passwd', sha256: 'x', size: 1 } } }),
  });
  assert.is(response.status, 400);
});

calls('uploads report progress, keep the name and the bytes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-client-'));
  try {
    const path = join(folder, 'big.bin');
    const bytes = Buffer.alloc(9 * 1024 * 1024, 'holdall');
    await writeFile(path, bytes);
    const steps: number[] = [];
    const image = await clientOf(user.key).upload(await openAsBlob(path), {
      name: 'naïve "résumé".bin',
      desc: 'described',
      private: true,
      onProgress: ({ sent, total }) => {
        assert.ok(sent <= total);
        steps.push(sent);
      },
    });
    assert.ok(steps.length > 1);
    assert.is(image.size, bytes.length);
    assert.is(image.originalName, 'naïve "résumé".bin');
    assert.is(image.isPublic, false);
    const back = await fetch(image.urlSet.rawUrl, { headers: { 'x-api-key': user.key } });
    assert.ok(Buffer.from(await back.arrayBuffer()).equals(bytes));
  } finally {
    await rm(folder, { recursive: true });
  }
});

calls('an upload can be aborted, and leaves nothing behind', async () => {
  const ending = new AbortController();
  const upload = clientOf(user.key).upload(new Blob([Buffer.alloc(32 * 1024 * 1024)]), {
    signal: ending.signal,
    onProgress: () => ending.abort(new Error('enough')),
  });
  await upload.then(
    () => assert.unreachable(),
    (error) => assert.is(error.message, 'enough'),
  );
});

calls('a signal aborts calls and uploads with its reason, before and during them', async () => {
  const { api, upload } = clientOf(user.key);
  const over = AbortSignal.abort(new Error('enough'));
  assert.is((await failure(api.site.status.query(undefined, { signal: over }))).message, 'enough');
  assert.is((await failure(upload(new Blob(['x']), { signal: over }))).message, 'enough');
  const ending = new AbortController();
  const call = failure(api.site.status.query(undefined, { signal: ending.signal }));
  ending.abort(new Error('later'));
  assert.is((await call).message, 'later');
});

calls('an error in onProgress aborts the upload, which rejects with it', async () => {
  const wrong = new TypeError('of the caller');
  const onProgress = () => {
    throw wrong;
  };
  assert.is(await failure(clientOf(user.key).upload(new Blob(['x']), { onProgress })), wrong);
});

calls('the reason of a refused upload is reported where it can be known', async () => {
  const { upload } = clientOf(user.key);
  const guest = await server.account('GUEST');
  const pending = await server.account('USER', { status: 'PENDING' });
  await upload(new Blob(['x']), { uniqueId: 'taken' });
  const reasons = await Promise.all([
    failure(upload(new Blob(['x']), { uniqueId: 'taken' })),
    failure(upload(new Blob([]))),
    failure(clientOf('wrong key').upload(new Blob(['x']))),
    failure(upload(new Blob(['x']), { maxViews: 0 })),
    failure(clientOf(guest.key).upload(new Blob(['x']))),
    failure(clientOf(pending.key).upload(new Blob(['x']))),
  ]);
  assert.equal(
    reasons.map((error) => (error as HoldallError).reason),
    ['ID_TAKEN', 'FILE_EMPTY', 'UNAUTHENTICATED', 'REFUSED', 'FORBIDDEN', 'ACCOUNT_INACTIVE'],
  );
});

calls('typed calls and uploads report when to retry, and answers that are not from Holdall', async () => {
  const busy = createServer((request, response) => {
    request.resume();
    const error = { message: 'busy', code: -32603, data: { httpStatus: 503, reason: 'UNAVAILABLE' } };
    const body = request.url?.startsWith('/trpc') ? [{ error }] : { error: true, message: 'busy' };
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '7' });
    response.end(JSON.stringify(body));
  });
  const other = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  try {
    for (const [server, status, reason, retryAfter] of [
      [busy, 503, 'UNAVAILABLE', 7],
      [other, 200, 'UNEXPECTED', null],
    ] as const) {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const client = createClient({
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      });
      for (const call of [() => client.api.site.status.query(), () => client.upload(new Blob(['x']))]) {
        const error = (await failure(call())) as HoldallError;
        assert.instance(error, HoldallError);
        assert.equal([error.status, error.reason, error.retryAfter], [status, reason, retryAfter]);
      }
    }
  } finally {
    busy.close();
    other.close();
  }
});

calls('an invalid origin or key is refused at once', () => {
  for (const options of [{ origin: 'files.example' }, { origin: 'http://x', apiKey: 'schlüssel' }])
    assert.throws(
      () => createClient(options),
      (error: HoldallError) => error instanceof HoldallError && error.reason === 'INVALID',
    );
});

calls('a refused upload is a HoldallError', async () => {
  await clientOf('wrong key')
    .upload(new Blob(['x']))
    .then(
      () => assert.unreachable(),
      (error) => {
        assert.instance(error, HoldallError);
        assert.is(error.status, 401);
      },
    );
});
calls.run();
