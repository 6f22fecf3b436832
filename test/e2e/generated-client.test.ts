/** A client that is generated from `openapi.json`: it compiles strictly and works with a running server. */
import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { type Consumer, createConsumer, wronglyAccepted } from '../support/interface/consumer.js';
import { ROOT } from '../support/root.js';

const run = promisify(execFile);
const TYPESCRIPT_6 = '@typescript/typescript6';

const USE = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2);
const holdall = createClient<paths, 'application/json'>({ baseUrl });
const records: components['schemas']['Image'][] = [];

const login = await holdall.POST('/auth/login', { body: { email, password } });
if (login.error !== undefined) throw new Error(login.error.message);
const { uid, apiKey = '' } = login.data.message;
holdall.use({ onRequest: ({ request }) => request.headers.set('x-api-key', apiKey) });

const file = new File(['hello'], 'Grüße "1".txt', { type: 'text/plain' });
const upload = await holdall.POST('/image/upload', {
  body: { file, desc: 'a text', maxViews: 3 },
  bodySerializer: (body) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.set(name, value instanceof Blob ? value : String(value));
    return form;
  },
});
if (upload.error !== undefined) throw new Error(upload.error.message);
records.push(upload.data.message);

const list = await holdall.GET('/admin/user/{uid}/images', { params: { path: { uid } } });
records.push(...(list.data?.message ?? []));

const link = await holdall.POST('/url/create', { body: { url: 'https://example.com/', maxUses: 5 } });
const visits: number | undefined = link.data?.message.visits;
const logs = await holdall.GET('/url/get/{uniqueId}/logs', {
  params: { path: { uniqueId: link.data?.message.uniqueId ?? '' } },
});
const visitors: readonly string[] | undefined = logs.data?.message.map(({ time }) => time);

const missing = await holdall.GET('/image/info/{uniqueId}', { params: { path: { uniqueId: 'absent' } } });
const removed = await holdall.DELETE('/image/get/{uniqueId}', {
  params: { path: { uniqueId: upload.data.message.uniqueId } },
});
console.log(JSON.stringify({
  names: records.map(({ originalName }) => originalName),
  views: records[0]?.maxViews,
  visits,
  visitors,
  missing: missing.error?.message,
  removed: removed.data?.error,
}));
`;

const test = suite('a client generated from openapi.json');
let server: TestServer;
let consumer: Consumer;
test.before(async () => {
  server = await startServer();
  consumer = await createConsumer({
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
  });
  await symlink(join(ROOT, 'node_modules'), join(consumer.folder, 'node_modules'));
  await writeFile(join(consumer.folder, 'api.ts'), await generateTypes());
});
test.after(async () => {
  await consumer.remove();
  await server.close();
});

/** What openapi-typescript makes of the document. It uses the compiler as a library, which TypeScript 7 is not. */
async function generateTypes(): Promise<string> {
  const outfile = join(consumer.folder, 'generator.mjs');
  await build({
    entryPoints: [fileURLToPath(import.meta.resolve('openapi-typescript'))],
    ...{ bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' },
    alias: { typescript: TYPESCRIPT_6 },
    external: [TYPESCRIPT_6, '@redocly/*'],
  });
  const { default: generate, astToString } = await import(pathToFileURL(outfile).href);
  const { default: ts } = await import(TYPESCRIPT_6);
  const file = ts.factory.createTypeReferenceNode('Blob');
  const { body } = await server.request('GET', '/openapi.json');
  const transform = ({ format }: { format?: string }) => (format === 'binary' ? file : undefined);
  return astToString(await generate(body, { transform }));
}

test('compiles strictly, signs in, uploads, lists, shortens and deletes', async () => {
  assert.is(await consumer.check({ 'use.ts': USE }), '');
  const { email, password } = server.owner;
  const args = ['--import', 'tsx', join(consumer.folder, 'use.ts'), server.base, email, password];
  const { stdout } = await run(process.execPath, args, { cwd: ROOT });
  const name = 'Grüße "1".txt';
  assert.equal(JSON.parse(stdout), {
    names: [name, name],
    ...{ views: 3, visits: 0, visitors: [], missing: 'Resource not found', removed: false },
  });
});

test('does not compile with a wrong field, a wrong type or an unknown operation', async () => {
  const wrongs = [
    ["url: 'https://example.com/'", "adress: 'https://example.com/'"],
    ['maxUses: 5', "maxUses: 'five'"],
    ["'/url/create'", "'/url/creat'"],
    ['message.visits', 'message.visitors'],
    ['message.map(', 'message.content.map('],
  ] as const;
  assert.equal(await wronglyAccepted(consumer, USE, wrongs), []);
});
test.run();
