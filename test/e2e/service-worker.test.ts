/** `@holdall/client` in a service worker, which has no XMLHttpRequest and cannot stream over HTTP/1.1. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer } from '../harness.js';
import { ROOT } from '../support/root.js';
import { findChromium, openBrowser, openPage } from '../support/web/browser.js';

const WORKER = `
import { createClient } from './client/src/index.ts';
async function upload(options) {
  const steps = [];
  const onProgress = ({ sent, total }) => steps.push(sent === total);
  const image = await createClient(options).upload(new File(['hello'], 'grüße.txt'), { desc: 'by a worker', onProgress });
  const stranger = createClient({ ...options, apiKey: 'wrong' });
  const wrong = await stranger.upload(new Blob(['x'])).catch((error) => error.status);
  return { name: image.originalName, size: image.size, desc: image.description, steps, wrong };
}
addEventListener('message', ({ data, source }) =>
  upload(data).then((told) => source.postMessage(told), (error) => source.postMessage(String(error))));
`;

const chromium = findChromium();
const test = suite('client: in a service worker');
(chromium === null ? test.skip : test)(
  'uploads a file from another origin, with its fields, and reports a refusal',
  async () => {
    const { outputFiles } = await build({
      stdin: { contents: WORKER, resolveDir: ROOT },
      ...{ bundle: true, format: 'iife', write: false },
    });
    const site = createServer((request, response) => {
      const isScript = request.url === '/worker.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? outputFiles[0]?.text : '<!doctype html><title>A front end</title>');
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    const server = await startServer({ CORS_ORIGINS: origin });
    const browser = await openBrowser(chromium ?? '');
    try {
      const { page } = await openPage(browser, server);
      await page.goto(origin);
      const told = await page.evaluate(
        async (options) => {
          const { serviceWorker } = navigator;
          await serviceWorker.register('/worker.js');
          const { active } = await serviceWorker.ready;
          return new Promise((resolve) => {
            serviceWorker.onmessage = ({ data }) => resolve(data);
            active?.postMessage(options);
          });
        },
        { origin: server.origin, apiKey: server.owner.key },
      );
      assert.equal(told, { name: 'grüße.txt', size: 5, desc: 'by a worker', steps: [true], wrong: 401 });
    } finally {
      await browser.close();
      site.closeAllConnections();
      site.close();
      await server.close();
    }
  },
);
test.run();
