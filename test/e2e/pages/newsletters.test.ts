/**
 * Newsletters as mjml, mailgen and react-email make them: every word of them can be read on its background, in light and
 * dark, wide and narrow, and what is hidden stays hidden. HOLDALL_LOOKS=folder keeps pictures of them.
 */
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import * as assert from 'uvu/assert';
import { ROOT } from '../../support/root.js';
import { until } from '../../support/until.js';
import { openPage, overflowOf, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';
import { PIXEL } from '../../support/web/webhook.js';

const token = 'a-worker-token-of-enough-length';
const FOLDER = join(ROOT, 'test', 'fixtures', 'newsletters');
const LEAST_CONTRAST = 3;

const { check, run } = pageSuite('newsletters', { EMAIL_INBOUND_TOKEN: token });

/** The texts of a frame that cannot be read on what is behind them, with their contrast. */
const hardToRead = (frame: Frame): Promise<string[]> =>
  frame.evaluate((least) => {
    type Colour = [number, number, number, number];
    const read = (text: string): Colour => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
      return [red, green, blue, alpha];
    };
    const over = (top: Colour, under: Colour): Colour => {
      const mix = (at: 0 | 1 | 2) => top[at] * top[3] + under[at] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const light = ([red, green, blue]: Colour): number => {
      const part = (value: number) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
      return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
    };
    const behind = (element: Element | null): Colour =>
      element === null
        ? [255, 255, 255, 1]
        : over(read(getComputedStyle(element).backgroundColor), behind(element.parentElement));
    const wrong: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const element = node.parentElement;
      const words = node.textContent?.trim() ?? '';
      if (element === null || words === '' || element.getClientRects().length === 0) continue;
      const paper = behind(element);
      const [one, other] = [light(over(read(getComputedStyle(element).color), paper)), light(paper)];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (contrast < least) wrong.push(`${contrast.toFixed(2)}: ${words.slice(0, 40)}`);
    }
    return wrong;
  }, LEAST_CONTRAST);

check('every newsletter can be read, in every shape, and hides what it hides', async (place) => {
  const { server, browser, account } = place;
  const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
  const box: string = made.body.message.email;
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.html')).sort();
  assert.ok(names.length >= 8);
  for (const name of names) {
    const json = {
      from: 'News <news@example.org>',
      to: box,
      messageId: `<${name}@example.org>`,
      subject: name,
      html: await readFile(join(FOLDER, name), 'utf8'),
    };
    const headers = { 'x-email-token': token };
    assert.is((await server.request('POST', '/email/inbound', { json, headers })).status, 200);
  }
  const looks = process.env.HOLDALL_LOOKS;
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'dark'],
  ] as const) {
    const viewport = { width, height: 900 };
    const { page, faults, close } = await openPage(browser, server, { viewport, colorScheme });
    await signIn(page, account);
    for (const name of names) {
      const shape = `${name} ${width} ${colorScheme}`;
      const id = encodeURIComponent(`${name}@example.org`);
      await page.goto(`/web/mailboxes/${encodeURIComponent(box)}/message?id=${id}`);
      const element = await page.waitForSelector('iframe.message');
      const frame = await element.contentFrame();
      if (frame === null) throw new Error(shape);
      await frame.waitForLoadState();
      const words = (await frame.locator('body').textContent()) ?? '';
      assert.ok(await frame.getByText('quick brown fox').first().isVisible(), shape);
      assert.not.match(words, 'Hidden preview', shape);
      assert.equal(await hardToRead(frame), [], shape);
      assert.is(await overflowOf(page), 0, `${shape} is wider than the screen`);
      if (looks !== undefined) await element.screenshot({ path: join(looks, `${shape}.png`) });
    }
    assert.equal(faults, []);
    await close();
  }
});

check(
  'remote pictures load when their reader asks for them, that time, and learn neither who asks nor from where',
  async (place) => {
    const { server, browser, account } = place;
    const asked: unknown[] = [];
    const pictures = createServer((request, response) => {
      asked.push([request.headers.referer, request.headers.cookie]);
      response.setHeader('Content-Type', 'image/png').end(PIXEL);
    });
    await once(pictures.listen(0, '127.0.0.1'), 'listening');
    const { port } = pictures.address() as AddressInfo;
    // The host of the site itself, for which the browser has cookies: they do not tell ports apart.
    const { hostname } = new URL(server.origin);
    const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
    const box: string = made.body.message.email;
    const html = `<p>Hello</p><img alt="sale" src="http://${hostname}:${port}/sale.png">`;
    const json = {
      from: 'News <news@example.org>',
      to: box,
      messageId: '<sale@example.org>',
      subject: 's',
      html,
    };
    await server.request('POST', '/email/inbound', { json, headers: { 'x-email-token': token } });
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    const address = `/web/mailboxes/${encodeURIComponent(box)}/message?id=${encodeURIComponent('sale@example.org')}`;
    const picture = page.frameLocator('iframe.message').locator('img');
    await page.goto(address);
    await page.frameLocator('iframe.message').getByText('Hello').waitFor();
    assert.is(await picture.getAttribute('src'), null);
    assert.equal(asked, []);
    await page.getByRole('link', { name: 'Show them this time' }).click();
    await picture.and(page.frameLocator('iframe.message').locator('[src]')).waitFor();
    await until(() => asked.length === 1);
    assert.equal(asked, [[undefined, undefined]]);
    await page.goto(address);
    await page.getByRole('link', { name: 'Show them this time' }).waitFor();
    assert.is(await picture.getAttribute('src'), null);
    assert.equal([asked.length, faults], [1, []]);
    await close();
    pictures.close();
  },
);

run();
