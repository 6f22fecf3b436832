/** What is sealed in a browser goes on where it was: after a pause, and in a page that is opened anew. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { newKey, opened } from '../../support/content/sealed.js';
import { until } from '../../support/until.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { type Place, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('sealed again');

/** Three parts of what is sent. */
const CONTENT = Buffer.alloc(40 * 1024 * 1024, 'planted words ');
const SECOND = 16 * 1024 * 1024;

/** Follows the parts that a page sends, and can hold back those after the first. */
async function following(page: Page) {
  const seen = { begun: 0, offsets: [] as number[] };
  let open = (): void => undefined;
  let gate = Promise.resolve();
  await page.route(/\/image\/upload\/resumable/, async (route) => {
    const request = route.request();
    if (request.method() === 'POST') seen.begun += 1;
    if (request.method() === 'PATCH') {
      const offset = Number(request.headers()['upload-offset']);
      seen.offsets.push(offset);
      if (offset > 0) await gate;
    }
    await route.continue().catch(() => undefined);
  });
  const hold = (): void => {
    gate = new Promise((resolve) => {
      open = resolve;
    });
  };
  return { seen, hold, release: () => open() };
}

/** What the browser keeps: the keys of its parts. */
const keptBy = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<unknown[][]>((resolve, reject) => {
        const asked = indexedDB.open('holdall-sealed');
        asked.onerror = () => reject(asked.error);
        asked.onupgradeneeded = () => asked.result.createObjectStore('parts');
        asked.onsuccess = () => {
          const read = asked.result.transaction('parts').objectStore('parts').getAllKeys();
          read.onsuccess = () => {
            asked.result.close();
            resolve(read.result as unknown[][]);
          };
        };
      }),
  );
const isWhole = async (page: Page) => (await keptBy(page)).some(([, , part]) => typeof part === 'string');

async function inFile(use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-sealed-'));
  try {
    const path = join(folder, 'large.bin');
    await writeFile(path, CONTENT);
    await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function choose(page: Page, path: string): Promise<void> {
  await page.goto('/web/image-upload');
  await page.locator('.more > summary').first().click();
  await page
    .getByLabel('Seal', { exact: true })
    .selectOption({ label: 'With a new key, which the link has' });
  await page.locator('input[type=file]').setInputFiles(path);
}

const bytesOf = async ({ server, account }: Place, id: string) => {
  const answer = await fetch(`${server.base}/image/get/${id}`, { headers: { 'x-api-key': account.key } });
  return Buffer.from(await answer.arrayBuffer());
};

/** So many uploads were begun, and nothing was sent again that had arrived: where a part was cut off, the next one begins. */
function assertGoesOn({ begun, offsets }: { begun: number; offsets: number[] }, times: number): void {
  assert.is(begun, times);
  const rest = offsets.filter((offset) => offset > 0);
  assert.ok(rest.length > 0 && rest.length === offsets.length - times, String(offsets));
  assert.ok(rest.every((offset, index) => offset >= (rest[index - 1] ?? SECOND)));
}

check('an upload that is sealed goes on after a pause, and in another page', (place) =>
  inFile(async (path) => {
    const { server, browser, account } = place;
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    const first = await following(page);
    first.hold();
    await choose(page, path);
    await until(async () => first.seen.offsets.includes(SECOND));
    await page.getByRole('button', { name: 'Pause' }).click();
    first.release();
    await page.locator('.queue li.paused').waitFor();
    await until(() => isWhole(page));
    first.hold();
    const before = first.seen.offsets.length;
    await page.getByRole('button', { name: 'Resume' }).click();
    await until(async () => first.seen.offsets.length > before);
    assertGoesOn(first.seen, 1);
    const again = await page.context().newPage();
    await page.close();
    const second = await following(again);
    await choose(again, path);
    await again.locator('.queue li.done').waitFor();
    assertGoesOn(second.seen, 0);
    const link = new URL((await again.locator('.queue [data-copy]').getAttribute('data-copy')) ?? '');
    const id = link.pathname.split('/').at(-1) ?? '';
    const text = await opened(link.hash.slice(1), await bytesOf(place, id));
    assert.ok(CONTENT.equals(Buffer.from(text)));
    await until(async () => (await keptBy(again)).length === 0);
    assert.equal(faults, []);
    await close();
  }),
);

check('what a guest sends to a sealed request goes on by itself in another page', (place) =>
  inFile(async (path) => {
    const { server, browser, account } = place;
    const key = await newKey();
    const json = { title: 'Papers', recipient: key.recipient };
    const request = await server.request('POST', '/request/create', { key: account.key, json });
    const { uniqueId } = request.body.message;
    const { page, faults, close } = await openPage(browser, server);
    const first = await following(page);
    first.hold();
    await page.goto(`/web/request/${uniqueId}`);
    await page.locator('input[type=file]').setInputFiles(path);
    await until(async () => first.seen.offsets.includes(SECOND));
    await until(() => isWhole(page));
    const again = await page.context().newPage();
    await page.close();
    const second = await following(again);
    await again.goto(`/web/request/${uniqueId}`);
    await again.locator('.queue li.done').waitFor();
    assertGoesOn(second.seen, 0);
    const path2 = `/request/get/${uniqueId}/files`;
    const files = await server.request('GET', path2, { key: account.key });
    const [file] = files.body.message.content;
    const text = await opened(key.identity, await bytesOf(place, file.uniqueId));
    assert.ok(CONTENT.equals(Buffer.from(text)));
    await until(async () => (await keptBy(again)).length === 0);
    assert.equal(faults, []);
    await close();
  }),
);

run();
