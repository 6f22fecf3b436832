/**
 * A wedding: phones with a bad network, whose browsers are killed in the middle, send photos to a wall.
 * `HOLDALL_WALL_PHONES=60` tries as many of them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer } from '../../harness.js';
import { startLossyNetwork } from '../../standins/lossy-network.js';
import { findChromium } from '../../support/web/browser.js';
import { type Phone, startPhone } from '../../support/web/phone.js';

const PHONES = Number(process.env.HOLDALL_WALL_PHONES ?? 6);
const PHOTOS = 3;
/** Phones that run at the same time. */
const AT_ONCE = 6;
const LOSS = 0.3;

const tests = suite('pages: a wall and many phones');
const executable = findChromium();
const test = executable === null ? tests.skip : tests;

/** Waits until so many photos have arrived. */
const arrive = async ({ page }: Phone, photos: number): Promise<void> => {
  const last = page.locator('.queue li.done').nth(photos - 1);
  await last.waitFor().catch(async (error: unknown) => {
    throw new Error(`${await page.locator('.queue').textContent()}`, { cause: error });
  });
};

const photo = async (name: string, shade: number) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({
    create: { width: 120, height: 90, channels: 3, background: { r: shade % 256, g: shade >> 8, b: 90 } },
  })
    .png()
    .toBuffer(),
});

test('every photo is on the wall exactly once, of phones that lose requests and whose browsers are killed', async () => {
  let origin = '';
  const network = await startLossyNetwork(() => origin, { loss: LOSS, seed: 7 });
  const server = await startServer({ BASE_URL: network.origin, TRUST_PROXY: 'true' });
  origin = `http://127.0.0.1:${server.app.address.port}`;
  const folder = await mkdtemp(join(tmpdir(), 'holdall-phones-'));
  const running = new Set<Phone>();
  const start = async (number: number): Promise<Phone> => {
    const phone = await startPhone(executable ?? '', join(folder, String(number)));
    running.add(phone);
    // Each is in a network of its own: guests of one have few unfinished uploads at a time.
    await phone.page.setExtraHTTPHeaders({ 'x-forwarded-for': `10.1.${number}.1` });
    return phone;
  };
  const end = async (phone: Phone): Promise<void> => {
    await phone.kill();
    running.delete(phone);
  };
  try {
    // Whose files of a day are not limited.
    const { key } = await server.account('ADMIN');
    const json = { title: 'Our wedding', wall: 'all' };
    const made = await server.request('POST', '/request/create', { key, json });
    const id = made.body.message.uniqueId;
    const page = `${network.origin}/web/request/${id}`;
    const names = (number: number) => Array.from({ length: PHOTOS }, (_, index) => `${number}-${index}.png`);

    const visit = async (number: number): Promise<void> => {
      const first = await start(number);
      await first.page.goto(page);
      const photos = await Promise.all(
        names(number).map((name, index) => photo(name, number * PHOTOS + index)),
      );
      await first.page.locator('input[type=file]').setInputFiles(photos);
      await first.page
        .locator('.queue li')
        .nth(PHOTOS - 1)
        .waitFor();
      // Some are killed before the first photo has arrived, others between two, and others after the last.
      const arrived = number % (PHOTOS + 1);
      if (arrived > 0) await arrive(first, arrived);
      await end(first);
      const second = await start(number);
      await second.page.goto(page);
      await arrive(second, PHOTOS);
      await end(second);
    };
    const waiting = Array.from({ length: PHONES }, (_, number) => number);
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let number = waiting.shift(); number !== undefined; number = waiting.shift())
          await visit(number);
      }),
    );

    const shown: string[] = [];
    for (let at = 0; ; at += 1) {
      const { body } = await server.request('GET', `/request/open/${id}/wall?page=${at}&size=50`);
      shown.push(...body.message.content.map(({ name }: { name: string }) => name));
      if (body.message.content.length === 0 || shown.length >= body.message.totalElements) break;
    }
    const all = Array.from({ length: PHONES }, (_, number) => names(number)).flat();
    assert.equal(shown.sort(), all.sort());
    const { body } = await server.request('GET', `/request/get/${id}`, { key });
    assert.is(body.message.receivedFiles, PHONES * PHOTOS);
    const own = await server.request('GET', '/user/get/@me/items?kind=image&size=1', { key });
    assert.is(own.body.message.totalElements, PHONES * PHOTOS);
    assert.ok(network.counts.lost > 0);
    console.log(
      `# ${PHONES} phones, ${PHONES * PHOTOS} photos, ${network.counts.lost} of ${network.counts.requests} requests lost`,
    );
  } finally {
    await Promise.all([...running].map((phone) => phone.kill()));
    await server.close();
    await network.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

tests.run();
