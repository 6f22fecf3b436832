/** The tus clients that front ends use, in a browser, on a page of another origin. */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { ROOT } from '../support/root.js';
import { until } from '../support/until.js';
import { findChromium, openBrowser, openPage } from '../support/web/browser.js';

const CLIENTS = `
import { Upload } from 'tus-js-client';
import Uppy from '@uppy/core';
import Tus from '@uppy/tus';
Object.assign(globalThis, { Upload, Uppy, Tus });
`;
/** What the scripts of the page are given. */
interface Given {
  readonly endpoint: string;
  readonly headers: Record<string, string>;
  readonly path: string;
}
/** The globals of the page. */
// biome-ignore lint/suspicious/noExplicitAny: the page has the types of the clients, this file has not.
type Globals = any;

const FILM = randomBytes(20 * 1024 * 1024 + 7);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface World {
  server: TestServer;
  site: Server;
  browser: Browser;
  given: Given;
}
const chromium = findChromium();
const test = suite<World>('tus clients in a browser');
const check = chromium === null ? test.skip : test;

test.before(async (world) => {
  const { outputFiles } = await build({
    stdin: { contents: CLIENTS, resolveDir: ROOT },
    ...{ bundle: true, format: 'iife', write: false },
  });
  world.site = createServer((request, response) => {
    if (request.url === '/film.bin') return void response.end(FILM);
    const isScript = request.url === '/clients.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? outputFiles[0]?.text : '<!doctype html><script src="/clients.js"></script>');
  });
  await once(world.site.listen(0, '127.0.0.1'), 'listening');
  const path = `http://localhost:${(world.site.address() as AddressInfo).port}`;
  world.server = await startServer({ CORS_ORIGINS: path });
  world.given = {
    endpoint: `${world.server.origin}/v1/image/upload/resumable`,
    headers: { 'X-API-Key': world.server.owner.key },
    path,
  };
  if (chromium !== null) world.browser = await openBrowser(chromium);
});
test.after(async ({ browser, server, site }) => {
  await browser?.close();
  await server.close();
  site.close();
});

/** The item that an upload became, with its bytes compared. */
async function stored({ server }: World, url: string) {
  const path = new URL(url).pathname.replace(/^\/v1/, '');
  const look = () => server.request('GET', path, { key: server.owner.key });
  await until(async () => ['done', 'failed'].includes((await look()).body.message.state));
  const { state, image } = (await look()).body.message;
  assert.is(state, 'done');
  const bytes = await (await fetch(`${server.origin}/v1/image/get/${image.uniqueId}`)).arrayBuffer();
  assert.is(hashOf(Buffer.from(bytes)), hashOf(FILM));
  return image;
}

check('tus-js-client sends in parts, is aborted, and a new page continues where it was', async (world) => {
  const { page, close } = await openPage(world.browser, world.server);
  await page.goto(world.given.path);
  const first = await page.evaluate(async ({ endpoint, headers, path }) => {
    const { Upload } = globalThis as Globals;
    const blob = await (await fetch(`${path}/film.bin`)).blob();
    return new Promise((resolve, reject) => {
      const upload = new Upload(new File([blob], 'film.bin', { lastModified: 1 }), {
        ...{ endpoint, headers, chunkSize: 4 * 1024 * 1024, storeFingerprintForResuming: true },
        metadata: { filename: 'film.bin', filetype: 'application/octet-stream' },
        onError: reject,
        onChunkComplete: (_size: number, accepted: number) => {
          if (accepted < 8 * 1024 * 1024) return;
          upload.abort();
          resolve(upload.url);
        },
      });
      upload.start();
    });
  }, world.given);
  await page.reload();
  const second = await page.evaluate(async ({ endpoint, headers, path }) => {
    const { Upload } = globalThis as Globals;
    const blob = await (await fetch(`${path}/film.bin`)).blob();
    return new Promise<{ url: string; from: number }>((resolve, reject) => {
      let from = -1;
      const upload = new Upload(new File([blob], 'film.bin', { lastModified: 1 }), {
        ...{ endpoint, headers, chunkSize: 4 * 1024 * 1024 },
        onError: reject,
        onProgress: (sent: number) => {
          if (from < 0) from = sent;
        },
        onSuccess: () => resolve({ url: upload.url, from }),
      });
      upload.findPreviousUploads().then(([known]: unknown[]) => {
        upload.resumeFromPreviousUpload(known);
        upload.start();
      });
    });
  }, world.given);
  assert.is(second.url, first);
  assert.ok(second.from >= 8 * 1024 * 1024, `it went on at ${second.from}`);
  assert.is((await stored(world, second.url)).originalName, 'film.bin');
  await close();
});

check(
  'Uppy sends several files with their fields, also over a connection that is lost on the way',
  async (world) => {
    const { page, close } = await openPage(world.browser, world.server);
    await page.goto(world.given.path);
    await page.exposeFunction('cut', async () => {
      await page.context().setOffline(true);
      await page.context().setOffline(false);
    });
    const told = await page.evaluate(async ({ endpoint, headers, path }) => {
      const { Uppy, Tus } = globalThis as Globals;
      const blob = await (await fetch(`${path}/film.bin`)).blob();
      const uppy = new Uppy({ meta: { private: 'false', desc: 'by Uppy' } }).use(Tus, {
        ...{ endpoint, headers, chunkSize: 3 * 1024 * 1024, retryDelays: Array(800).fill(250) },
      });
      for (const name of ['one.bin', 'two.bin']) uppy.addFile({ name, type: blob.type, data: blob });
      let isCut = false;
      uppy.on('upload-progress', (_file: unknown, { bytesUploaded }: { bytesUploaded: number }) => {
        if (isCut || bytesUploaded < 5 * 1024 * 1024) return;
        isCut = true;
        (globalThis as Globals).cut();
      });
      const { successful, failed } = await uppy.upload();
      const urls: string[] = successful.map(({ uploadURL }: { uploadURL: string }) => uploadURL);
      return { urls, failed: failed.length, isCut };
    }, world.given);
    assert.equal([told.urls.length, told.failed, told.isCut], [2, 0, true]);
    const images = [];
    for (const url of told.urls) images.push(await stored(world, url));
    assert.equal(images.map(({ originalName }) => originalName).sort(), ['one.bin', 'two.bin']);
    assert.equal(
      images.map(({ description }) => description),
      ['by Uppy', 'by Uppy'],
    );
    await close();
  },
);

test.run();
