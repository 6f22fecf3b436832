/** Watching a video in a browser, with a jump into its middle. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { makeFilm } from '../support/media/film.js';
import { findChromium, openBrowser, openPage } from '../support/web/browser.js';

const chromium = findChromium();

interface Place {
  folder: string;
  film: Buffer | null;
  server: TestServer;
  browser: Browser | null;
}

const watching = suite<Place>('video in a browser');
watching.before(async (place) => {
  place.folder = await mkdtemp(join(tmpdir(), 'holdall-film-'));
  place.film = chromium === null ? null : await makeFilm();
  place.server = await startServer();
  place.browser = chromium === null ? null : await openBrowser(chromium);
});
watching.after(async ({ folder, server, browser }) => {
  await browser?.close();
  await server.close();
  await rm(folder, { recursive: true });
});

watching('plays, and a jump fetches only the part it needs', async ({ film, browser, server }) => {
  if (film === null || browser === null) return;
  const form = fileForm(film, 'film.mp4');
  const { body } = await server.request('POST', '/image/upload', { key: server.owner.key, form });
  const { uniqueId, message } = body;
  assert.equal([message.type, message.width, message.height], ['mp4', 480, 270]);
  assert.ok(Math.abs(message.durationMs - 40_000) < 200, String(message.durationMs));
  // A busy machine answers before the poster is made.
  await server.app.services.jobs.settle();
  const { body: info } = await server.request('GET', `/image/info/${uniqueId}`);
  assert.type(info.message.urlSet.posterUrl, 'string');

  const stored = Buffer.from(await (await fetch(`${server.base}/image/get/${uniqueId}`)).arrayBuffer());
  assert.ok(stored.indexOf('moov') < stored.indexOf('mdat'), 'the index stands in front');

  const { page, faults, close } = await openPage(browser, server);
  const parts: { status: number; start: number }[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/image/get/video/')) return;
    const start = /^bytes (\d+)-/.exec(response.headers()['content-range'] ?? '')?.[1];
    parts.push({ status: response.status(), start: Number(start ?? 0) });
  });
  await page.goto(`/web/image-render/${uniqueId}`);
  await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 1);
  const seekable = await page.evaluate(() => document.querySelector('video')?.seekable.end(0) ?? 0);
  assert.ok(seekable > 39, 'the whole film can be reached');
  await page.evaluate(async () => {
    const video = document.querySelector('video');
    if (video === null) throw new Error('no video on the page');
    video.muted = true;
    video.currentTime = 35;
    await video.play();
  });
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 35.2);
  assert.is(await page.evaluate(() => document.querySelector('video')?.videoWidth), 480);
  assert.ok(
    parts.every(({ status }) => status === 206),
    JSON.stringify(parts),
  );
  assert.ok(
    parts.some(({ start }) => start > stored.length / 2),
    JSON.stringify(parts),
  );
  assert.equal(faults, []);
  await close();
});

watching('is shown on a phone in its own aspect ratio', async ({ film, browser, server }) => {
  if (film === null || browser === null) return;
  const form = fileForm(film, 'film.mp4');
  const { body } = await server.request('POST', '/image/upload', { key: server.owner.key, form });
  const { page, close } = await openPage(browser, server, { viewport: { width: 360, height: 740 } });
  await page.goto(`/web/image-render/${body.uniqueId}`);
  const box = await page.locator('video').boundingBox();
  assert.is(Math.round(box?.height ?? 0), Math.round(((box?.width ?? 0) * 270) / 480));
  assert.ok((box?.width ?? 0) <= 360);
  await close();
});

watching.run();
