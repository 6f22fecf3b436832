/** Looking through pictures: on to the next and back to the list, with and without scripts; and the whole screen. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { fileForm, type TestServer } from '../../harness.js';
import { jpegPhoto, movie } from '../../support/media/media-fixtures.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, both, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('the viewer');

/** Uploads pictures one after the other; their ids, newest first. */
async function upload(server: TestServer, key: string, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const form = fileForm(await jpegPhoto(900, 600), name, {}, 'image/jpeg');
    ids.unshift((await server.request('POST', '/image/upload', { key, form })).body.uniqueId);
  }
  return ids;
}

const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1);

for (const [how, javaScriptEnabled] of both) {
  check(
    `${how}, one goes from a filtered library to the next, the previous and back`,
    async ({ server, browser, account }) => {
      const [last, middle, first] = await upload(server, account.key, [
        'lake a.jpg',
        'lake b.jpg',
        'lake c.jpg',
      ]);
      await upload(server, account.key, ['other.jpg']);
      const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
      await signIn(page, account);
      await page.goto(`${server.origin}/web/library?search=lake`);
      await page.click('.tile >> nth=1 >> a');
      assert.is(idOf(page), middle);
      assert.match((await page.textContent('.around')) ?? '', '2 of 3');
      assert.ok(await page.isVisible('.side'), 'the navigation stays');
      await page.click('.around a[rel=next]');
      assert.is(idOf(page), first);
      assert.is(await page.locator('.around a[rel=next]').count(), 0);
      await page.click('.around a[rel=prev]');
      await page.click('.around a[rel=prev]');
      assert.is(idOf(page), last);
      await page.click('.around a >> nth=0');
      assert.match(page.url(), new RegExp(`/web/library\\?search=lake\\&sort=newest#tile-${last}$`));
      assert.equal(faults, []);
      await close();
    },
  );
}

check(
  'arrow keys lead on, but not from a field; a collection leads through its own order',
  async ({ server, browser, account }) => {
    const ids = await upload(server, account.key, ['1.jpg', '2.jpg', '3.jpg']);
    const list = await server.request('POST', '/image/playlist/create', {
      key: account.key,
      json: { title: 'Trip' },
    });
    const { uniqueId } = list.body.message;
    const order = [ids[1], ids[2], ids[0]];
    await server.request('PUT', `/image/playlist/get/${uniqueId}/images`, {
      key: account.key,
      json: { imagesUids: order },
    });
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto(`${server.origin}/web/image-render/${ids[1]}?in=library`);
    await page.getByText('All links and QR code').click();
    await page.locator('.copy input').first().focus();
    await page.keyboard.press('ArrowRight');
    assert.is(idOf(page), ids[1]);
    await page.goto(`${server.origin}/web/playlist/${uniqueId}`);
    const at = (id: string | undefined) => page.waitForURL((url) => url.pathname.endsWith(`/${id}`));
    // Keys lead on once the page is there whole.
    await Promise.all([at(order[0]), page.click('.tile >> nth=0 >> a')]);
    for (const expected of [order[1], order[2]])
      await Promise.all([at(expected), page.keyboard.press('ArrowRight')]);
    await Promise.all([at(order[1]), page.keyboard.press('ArrowLeft')]);
    assert.equal(faults, []);
    await close();
  },
);

check('arrow keys lead on from the pages of every kind of file', async ({ server, browser, account }) => {
  const files: [string, Buffer | string][] = [
    ['paper.pdf', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n'],
    ['notes.txt', 'words\n'],
    ['other.bin', Buffer.from([1, 2, 3, 0, 255])],
    ['film.mp4', movie()],
    ['last.jpg', await jpegPhoto(90, 60)],
  ];
  const ids: string[] = [];
  for (const [name, bytes] of files) {
    const form = fileForm(bytes, name, {}, 'application/octet-stream');
    const made = await server.request('POST', '/image/upload', { key: account.key, form });
    assert.is(made.status, 200, made.text);
    ids.unshift(made.body.uniqueId);
  }
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  // The browser of the tests has no viewer for documents.
  await page.addInitScript('Object.defineProperty(navigator, "pdfViewerEnabled", { value: true })');
  await page.route('**/image-document/**', (route) =>
    route.fulfill({ body: 'shown', contentType: 'text/plain' }),
  );
  await page.goto(`/web/image-render/${ids[0]}?in=library`);
  for (const [key, order] of [
    ['ArrowRight', ids.slice(1)],
    ['ArrowLeft', ids.toReversed().slice(1)],
  ] as const)
    for (const expected of order)
      await Promise.all([page.waitForURL(`**/${expected}?**`), page.keyboard.press(key)]);
  assert.equal(faults, []);
  await close();
});

check(
  'the whole screen shows the whole picture first, then its pixels at the point, and drags',
  async ({ server, browser, account }) => {
    const form = fileForm(await jpegPhoto(3000, 2000), 'large.jpg', {}, 'image/jpeg');
    const { uniqueId } = (await server.request('POST', '/image/upload', { key: account.key, form })).body;
    const { page, faults, close } = await openPage(browser, server, {
      viewport: { width: 390, height: 800 },
    });
    await page.goto(`${server.origin}/web/image-render/${uniqueId}`);
    await page.click('a[data-zoom]');
    const place = async () =>
      (await page.locator('dialog.zoom img').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.waitForFunction(() => document.querySelector<HTMLElement>('dialog.zoom img')?.style.transform);
    const whole = await place();
    assert.equal([Math.round(whole.x), Math.round(whole.width)], [0, 390]);
    // The middle of the picture stays where it was clicked.
    await page.mouse.click(195, whole.y + whole.height / 2);
    const pixels = await place();
    // The photograph is stored turned.
    assert.is(Math.round(pixels.width), 2000);
    assert.ok(Math.abs(pixels.x + 1000 - 195) < 2, `at ${pixels.x}`);
    await page.mouse.move(195, 400);
    await page.mouse.down();
    await page.mouse.move(95, 400, { steps: 4 });
    await page.mouse.up();
    assert.ok(Math.abs((await place()).x - (pixels.x - 100)) < 2);
    await page.mouse.click(195, 400);
    assert.is(Math.round((await place()).width), 390);
    await page.keyboard.press('+');
    assert.ok((await place()).width > 390);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog.zoom', { state: 'detached' });
    assert.equal(faults, []);
    await close();
  },
);

check(
  'a stranger who follows a link with a library in it sees the item alone',
  async ({ server, browser, account }) => {
    const [id] = await upload(server, account.key, ['mine.jpg']);
    const { page, faults, close } = await openPage(browser, server);
    await page.goto(`${server.origin}/web/image-render/${id}?in=library`);
    assert.is(await page.locator('.around').count(), 0);
    assert.equal(faults, []);
    await close();
  },
);

check(
  'drawings, tiny pictures, transparent ones, sounds and portrait videos are sound pages',
  async (place) => {
    const { server, account } = place;
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><circle cx="90" cy="90" r="60" fill="#0a6"/></svg>';
    const make = async (bytes: Uint8Array | string, name: string, type: string) => {
      const form = fileForm(bytes, name, {}, type);
      return (await server.request('POST', '/image/upload', { key: account.key, form })).body
        .uniqueId as string;
    };
    const drawing = await make(svg, 'drawing.svg', 'image/svg+xml');
    const tiny = await make(await jpegPhoto(16, 16), 'icon.jpg', 'image/jpeg');
    const film = await make(movie(), 'film.mp4', 'video/mp4');
    await server.app.services.jobs.settle();
    await eachShape(place, account, async (page) => {
      for (const id of [drawing, tiny, film]) {
        await page.goto(`${server.origin}/web/image-render/${id}?in=library`);
        await assertSound(page);
      }
      await page.goto(`${server.origin}/web/image-render/${drawing}`);
      const shown = page.locator('.stage img.shot');
      assert.match((await shown.getAttribute('src')) ?? '', 'format=webp');
      assert.ok(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    });
  },
);

run();
