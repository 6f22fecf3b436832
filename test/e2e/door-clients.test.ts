/** Programs that were made for other products, with what Settings, Upload tools gives for them. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has } from '../bench/processors.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';

import { serve } from '../standins/http.js';
import { ROOT } from '../support/root.js';
import { skipping } from '../support/skip.js';
import { findChromium, openBrowser } from '../support/web/browser.js';
import { PIXEL } from '../support/web/webhook.js';

const test = suite('programs of other products');
let server: TestServer;
let user: TestAccount;
let folder: string;
test.before(async () => {
  server = await startServer();
  user = await server.account();
  folder = await mkdtemp(join(tmpdir(), 'holdall-programs-'));
  await writeFile(join(folder, 'a "quoted" \\ pic,ture;.png'), PIXEL);
});
test.after(async () => {
  await rm(folder, { recursive: true });
  await server.close();
});

/** The file of a program, as it is downloaded. */
async function download(file: string, to: string): Promise<void> {
  const { text } = await server.request('GET', `/user/get/@me/uploaders/${file}`, { key: user.key });
  await writeFile(join(folder, to), text);
}

const run = async (command: string, ...given: readonly string[]): Promise<string> =>
  (
    await promisify(execFile)('sh', ['-c', command, 'sh', ...given], {
      cwd: folder,
      env: { ...process.env, HOME: folder },
    })
  ).stdout;
const bytesAt = async (address: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(address)).arrayBuffer());

for (const file of ['typora.sh', 'ksnip.sh'])
  test(`${file} stores pictures, and prints the address of each on a line`, async () => {
    if (!has('curl')) return skipping('curl is not installed');
    await download(file, file);
    const picture = 'a "quoted" \\ pic,ture;.png';
    const lines = (await run(`sh ${file} "$@"`, picture, picture)).trimEnd().split('\n');
    assert.is(lines.length, 2);
    for (const line of lines) assert.equal(await bytesAt(line), PIXEL);
  });

test('aliases.sh stores files, links and texts', async () => {
  if (!has('curl')) return skipping('curl is not installed');
  await download('aliases.sh', 'aliases.sh');
  await writeFile(join(folder, 'pic.png'), PIXEL);
  const lined = async (command: string) => (await run(`. ./aliases.sh; ${command}`)).trimEnd();
  assert.equal(await bytesAt(await lined('up pic.png')), PIXEL);
  const once = await lined('once pic.png');
  assert.equal(await bytesAt(once), PIXEL);
  assert.is((await fetch(once)).status, 404);
  const short = await fetch(await lined('short "https://example.com/?a=1&b=@x"'), { redirect: 'manual' });
  assert.is(short.headers.get('location'), 'https://example.com/?a=1&b=@x');
  const { key } = JSON.parse(await lined('printf "Gr\u00fc\u00dfe\\n" | note'));
  assert.is(await (await fetch(`${server.origin}/raw/${key}`)).text(), 'Gr\u00fc\u00dfe\n');
});

test('pastebinit stores texts, with a title', async () => {
  if (!has('pastebinit')) return skipping('pastebinit is not installed');
  await mkdir(join(folder, '.pastebin.d'));
  await download('pastebinit.conf', '.pastebin.d/holdall.conf');
  const address = (
    await run(`printf 'Gr\u00fc\u00dfe & mehr' | pastebinit -b ${server.origin} -t 'Ein Titel'`)
  ).trim();
  assert.match(address, new RegExp(`^${server.origin}/r/\\w+$`));
  const id = address.split('/').at(-1);
  const { body } = await server.request('GET', `/paste/get/${id}`, { key: user.key });
  assert.equal([body.message.content, body.message.title], ['Gr\u00fc\u00dfe & mehr', 'Ein Titel']);
});

/** What the library for YOURLS answers, called in a page. */
interface Yourls {
  connect(address: string, credentials: object, options: object): void;
  shorten(url: string, more: object, done: (result: unknown, response: unknown) => void): void;
  url(address: string): {
    expand(done: (result: unknown, response: unknown) => void): void;
    stats(done: (result: unknown, response: unknown) => void): void;
  };
  stats(done: (result: unknown, response: unknown) => void): void;
  db: { stats(done: (result: unknown, response: unknown) => void): void };
  version(done: (result: unknown, response: unknown) => void): void;
}

/** Runs in the page. */
async function useYourls(to: { address: string; signature: string; options: object; url: string }) {
  const { yourls } = globalThis as unknown as { yourls: Yourls };
  yourls.connect(to.address, { signature: to.signature }, to.options);
  const asked = (ask: (done: (result: unknown, response: unknown) => void) => void) =>
    new Promise<Record<string, unknown>>((resolve) => ask((_, response) => resolve(response as never)));
  const made = await asked((done) => yourls.shorten(to.url, { title: 'T' }, done));
  const link = yourls.url(String(made.shorturl));
  return {
    made,
    expanded: await asked((done) => link.expand(done)),
    counted: await asked((done) => link.stats(done)),
    all: await asked((done) => yourls.db.stats(done)),
    listed: await asked((done) => yourls.stats(done)),
    version: await asked((done) => yourls.version(done)),
  };
}

test('the library for YOURLS works in a page of another site by JSONP, and in one of ours by JSON', async () => {
  const chromium = findChromium();
  if (chromium === null) return;
  // Another site for the browser, which has the server under another name.
  const other = await serve((_, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end('<!doctype html><title>another site</title>');
  });
  const library = await readFile(join(ROOT, 'node_modules/yourls-api/dist/yourls.js'), 'utf8');
  const browser = await openBrowser(chromium);
  try {
    const page: Page = await browser.newPage();
    const use = async (options: object, signature = user.key) => {
      await page.evaluate(library);
      const address = `${server.origin}/yourls-api.php`;
      return page.evaluate(useYourls, {
        ...{ address, signature, options },
        url: 'https://example.com/?a=1',
      });
    };
    for (const [at, options] of [
      [other.url, { format: 'jsonp', method: 'GET' }],
      [`${server.origin}/web/login`, { format: 'json', method: 'GET' }],
      [`${server.origin}/web/login`, { format: 'json', method: 'POST' }],
    ] as const) {
      await page.goto(at);
      const { made, expanded, counted, all, listed, version } = await use(options);
      assert.equal([made.status, made.title], ['success', 'T'], JSON.stringify(made));
      assert.is(expanded.longurl, 'https://example.com/?a=1');
      assert.is((counted.link as { clicks: number }).clicks, 0);
      assert.ok((all['db-stats'] as { total_links: number }).total_links > 0);
      assert.ok(Object.keys(listed.links as object).length > 0);
      assert.match(String(version.version), /^\d/);
    }
    const refused = await use({ format: 'json', method: 'GET' }, 'wrong');
    assert.is(refused.made.errorCode, '403');
  } finally {
    await browser.close();
    await other.close();
  }
});

test.run();
