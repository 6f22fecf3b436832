/** `@holdall/client` as it is packed. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Consumer, createConsumer, wronglyAccepted } from '../support/interface/consumer.js';
import { ROOT } from '../support/root.js';

const run = promisify(execFile);

const tarball = suite('client: the packed tarball');
let consumer: Consumer;
let packed: string;
tarball.before(async () => {
  await run(process.execPath, ['client/build.mjs'], { cwd: ROOT });
  consumer = await createConsumer({ target: 'es2022', lib: ['es2022', 'dom'], types: [] });
  const { folder } = consumer;
  packed = join(folder, 'node_modules', '@holdall', 'client');
  await mkdir(packed, { recursive: true });
  await run('npm', ['pack', '--pack-destination', folder], { cwd: join(ROOT, 'client') });
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['-xzf', join(folder, file), '-C', packed, '--strip-components=1']);
});
tarball.after(() => consumer.remove());

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

tarball('type-checks for a consumer without other packages, library declarations included', async () => {
  assert.is(await consumer.check({ 'right.ts': USE }), '');
});

tarball('a wrong field, a missing field and an unknown procedure do not compile', async () => {
  const wrongs = [
    ["url: 'example.com'", "adress: 'example.com'"],
    ['maxUses: 3', "maxUses: 'three'"],
    ['api.url.create', 'api.url.creat'],
    ['link.visits', 'link.visitors'],
  ] as const;
  assert.equal(await wronglyAccepted(consumer, USE, wrongs), []);
});

tarball('runs in a process without other packages', async () => {
  await writeFile(
    join(consumer.folder, 'run.mjs'),
    "import { createClient } from '@holdall/client'; console.log(typeof createClient({ origin: 'http://x' }).api.url.create.mutate);",
  );
  assert.is((await run(process.execPath, [join(consumer.folder, 'run.mjs')])).stdout.trim(), 'function');
});
tarball.run();
