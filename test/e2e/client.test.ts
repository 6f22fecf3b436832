import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient, HoldallError } from '../../client/src/index.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { ROOT } from '../support/root.js';

const run = promisify(execFile);

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

calls('a link is made, followed and read with full types', async () => {
  const { api } = clientOf(user.key);
  const link = await api.url.create.mutate({ url: 'example.com', maxUses: 2 });
  assert.is(link.originalUrl, 'https://example.com');
  assert.is((await api.url.visit.mutate({ uniqueId: link.uniqueId })).location, 'https://example.com');
  assert.is((await api.url.get.query({ uniqueId: link.uniqueId })).visits, 1);
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

calls('calls of one moment share a request, and more than the cap split', async () => {
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

calls('a number that came as text over REST leaves the typed side strict', async () => {
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

calls('an upload can be ended, and leaves nothing behind', async () => {
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

const tarball = suite('client: the packed tarball');
let consumer: string;
let packed: string;
tarball.before(async () => {
  await run(process.execPath, ['client/build.mjs'], { cwd: ROOT });
  consumer = await mkdtemp(join(tmpdir(), 'holdall-consumer-'));
  packed = join(consumer, 'node_modules', '@holdall', 'client');
  await mkdir(packed, { recursive: true });
  await run('npm', ['pack', '--pack-destination', consumer], { cwd: join(ROOT, 'client') });
  const [file = ''] = (await readdir(consumer)).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['-xzf', join(consumer, file), '-C', packed, '--strip-components=1']);
  await writeFile(join(consumer, 'package.json'), '{"type":"module"}');
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    noEmit: true,
    skipLibCheck: false,
  };
  await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
});
tarball.after(() => rm(consumer, { recursive: true, force: true }));

/** Type-checks one file as a consumer would; the compiler's complaints, or "". */
async function check(source: string): Promise<string> {
  await writeFile(join(consumer, 'main.ts'), source);
  return run(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '--pretty',
    'false',
    '-p',
    consumer,
  ]).then(
    () => '',
    (error) => String(error.stdout),
  );
}

const USE = `
import { createClient, HoldallError, type ShortUrlRecord } from '@holdall/client';
const holdall = createClient({ origin: 'http://localhost' });
export async function main(): Promise<ShortUrlRecord> {
  const link = await holdall.api.url.create.mutate({ url: 'example.com', maxUses: 3 });
  const visits: number = link.visits;
  const image = await holdall.upload(new Blob(['x']), { onProgress: ({ sent }) => console.log(sent, visits) });
  const size: number | null = image.size;
  if (size === 0) throw new HoldallError('x', { status: 400, reason: 'INVALID' });
  return link;
}
`;

tarball('has no dependencies and no server source', async () => {
  const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'));
  assert.is(manifest.dependencies, undefined);
  assert.equal((await readdir(join(packed, 'dist'))).sort(), ['holdall.js', 'index.d.ts', 'index.js']);
  const script = await readFile(join(packed, 'dist/index.js'), 'utf8');
  assert.not.match(script, /from ?"(?!\.)|require\(|knex|koa|sqlite/);
  assert.not.match(await readFile(join(packed, 'dist/index.d.ts'), 'utf8'), /from '|knex/);
});

tarball('type-checks for a consumer who has nothing else, library declarations included', async () => {
  assert.is(await check(USE), '');
});

tarball('a wrong field, a missing field and an unknown procedure do not compile', async () => {
  for (const [right, wrong] of [
    ["url: 'example.com'", "adress: 'example.com'"],
    ['maxUses: 3', "maxUses: 'three'"],
    ['api.url.create', 'api.url.creat'],
    ['link.visits', 'link.visitors'],
  ] as const) {
    const complaints = await check(USE.replace(right, wrong));
    assert.match(complaints, /error TS/, `${wrong}: ${complaints}`);
  }
});

tarball('runs in a process that has nothing else', async () => {
  await writeFile(
    join(consumer, 'run.mjs'),
    "import { createClient } from '@holdall/client'; console.log(typeof createClient({ origin: 'http://x' }).api.url.create.mutate);",
  );
  assert.is((await run(process.execPath, [join(consumer, 'run.mjs')])).stdout.trim(), 'function');
});
tarball.run();
