/** Writing a paste with the keyboard, pointing at its lines, and choosing in lists. */
import * as assert from 'uvu/assert';
import { until } from '../../support/until.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('the editor');

check(
  'Tab indents and Shift+Tab takes it back, Escape leaves, Ctrl+Enter creates the paste',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto(`${server.origin}/web/paste-create`);
    const field = page.locator('textarea[name=text]');
    assert.ok(await field.evaluate((element) => element === document.activeElement), 'one can type at once');
    await page.keyboard.type('one\ntwo');
    await field.evaluate((element: HTMLTextAreaElement) =>
      element.setSelectionRange(0, element.value.length),
    );
    await page.keyboard.press('Tab');
    assert.is(await field.inputValue(), '  one\n  two');
    await page.keyboard.press('Shift+Tab');
    assert.is(await field.inputValue(), 'one\ntwo');
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    assert.match(await field.inputValue(), /two {2}$/);
    await page.keyboard.press('Control+z');
    assert.is(await field.inputValue(), 'one\ntwo');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.not.ok(await field.evaluate((element) => element === document.activeElement));
    await field.focus();
    await Promise.all([page.waitForURL('**/web/paste-render/**'), page.keyboard.press('Control+Enter')]);
    assert.equal(faults, []);
    await close();
  },
);

check(
  'a text file that is dropped becomes the text, and its name the title',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto(`${server.origin}/web/paste-create`);
    const drop = (bytes: readonly number[], name: string) =>
      page.evaluate(
        ([content, title]) => {
          const files = new DataTransfer();
          files.items.add(new File([new Uint8Array(content as number[])], title as string));
          const event = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
          document.querySelector('textarea')?.dispatchEvent(event);
        },
        [bytes, name] as const,
      );
    await drop([0xff, 0xfe, 0], 'picture.bin');
    await page.getByText('picture.bin is not a text').waitFor();
    await drop([...Buffer.from('hällo')], 'notes.txt');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'hällo');
    assert.is(await page.inputValue('[name=title]'), 'notes.txt');
    assert.equal(faults, []);
    await close();
  },
);

check(
  'Shift and a line number point at a range, and wrapping is remembered',
  async ({ server, browser, account }) => {
    const text = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n');
    const { body } = await server.request('POST', '/paste/create', { key: account.key, json: { text } });
    const address = `${server.origin}/web/paste-render/${body.message.uniqueId}`;
    const { page, faults, close } = await openPage(browser, server);
    await page.goto(address);
    await page.click('#L3 > a');
    await page.click('#L6 > a', { modifiers: ['Shift'] });
    assert.match(page.url(), /#L3-L6$/);
    assert.is(await page.locator('.line.chosen').count(), 4);
    await page.getByRole('button', { name: 'Wrap lines' }).click();
    await page.goto('about:blank');
    await page.goto(`${address}#L30-L32`);
    assert.is(await page.locator('.line.chosen').count(), 3);
    assert.is(await page.locator('.code.wrapped').count(), 1);
    assert.equal(faults, []);
    await close();
  },
);

check(
  'a filter applies once it is chosen, and actions appear with the first selected item',
  async ({ server, browser, account }) => {
    const form = new FormData();
    form.set('file', new File(['a text'], 'a.txt'));
    await server.request('POST', '/image/upload', { key: account.key, form });
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto(`${server.origin}/web/library`);
    assert.not.ok(await page.isVisible('[data-bulk]'));
    await page.check('.pick input');
    assert.match((await page.textContent('[data-count]')) ?? '', '1 selected');
    assert.ok(await page.isVisible('[data-bulk]'));
    await Promise.all([page.waitForURL('**kind=image**'), page.selectOption('select[name=kind]', 'image')]);
    await page.getByText('Nothing matches').waitFor();
    assert.equal(faults, []);
    await close();
  },
);

check(
  'times are those of the reader, in words, and exact in their title',
  async ({ server, browser, account }) => {
    const { body } = await server.request('POST', '/paste/create', { key: account.key, json: { text: 'x' } });
    const { page, faults, close } = await openPage(browser, server, { timezoneId: 'Asia/Tokyo' });
    await page.goto(`${server.origin}/web/paste-render/${body.message.uniqueId}`);
    const time = page.locator('time').first();
    assert.match((await time.textContent()) ?? '', /minute|hour/);
    assert.match((await time.getAttribute('title')) ?? '', /\d{4}/);
    assert.equal(faults, []);
    await close();
  },
);

check('the manifest has the name of the installation', async ({ server }) => {
  const answer = await server.request('GET', '//web/manifest.webmanifest');
  assert.is(answer.status, 200);
  assert.is(JSON.parse(answer.text).name, 'Holdall');
});

check(
  'lines are numbered and the detected language is shown while one types',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto(`${server.origin}/web/paste-create`);
    await page.keyboard.type('#!/usr/bin/env python3\nimport os\nprint(os.getcwd())\n');
    assert.is(await page.textContent('.numbers'), '1\n2\n3\n4');
    const detected = page.locator('select[name=language]', { hasText: 'Detect automatically: python' });
    // A busy server may leave one question unanswered; the next change asks again.
    await until(async () => {
      await page.locator('#text').dispatchEvent('input');
      return detected.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
    await page.selectOption('select[name=language]', 'rust');
    await page.waitForFunction(
      () => !document.querySelector('select[name=language]')?.textContent?.includes('python3'),
    );
    // Numbers stand beside their lines, however far one has scrolled.
    await page.locator('#text').fill(Array.from({ length: 300 }, (_, line) => `line ${line}`).join('\n'));
    await page.locator('#text').evaluate((field) => field.scrollTo(0, 2_000));
    await page.waitForFunction(() => document.querySelector('.numbers')?.scrollTop === 2_000);
    const anonymous = await server.request('POST', '//web/paste-language', { json: { text: 'x' } });
    assert.is.not(anonymous.status, 200);
    await assertSound(page);
    assert.equal(faults, []);
    await close();
  },
);

check('the link of a paste is copied above its text, however long that is', async (place) => {
  const { server, account } = place;
  const content = 'a line of text\n'.repeat(1_200);
  const { body } = await server.request('POST', '/paste/create', { key: account.key, json: { content } });
  await eachShape(place, account, async (page) => {
    await page.goto(`${server.origin}/web/paste-render/${body.message.uniqueId}`);
    const copy = page.getByRole('button', { name: 'Copy link', exact: true });
    assert.match((await copy.getAttribute('data-copy')) ?? '', body.message.uniqueId);
    assert.ok(((await copy.boundingBox())?.y ?? 1e6) < 600);
    await assertSound(page);
    await page.goto(`${server.origin}/web/edit/paste/${body.message.uniqueId}`);
    await page.waitForSelector('.numbers');
    await assertSound(page);
  });
});

for (const [javaScriptEnabled, entered, kept] of [
  [true, '2099-06-01T20:00', '2099-06-02T00:00'],
  [false, '2099-06-01T20:00', '2099-06-01T20:00'],
] as const)
  check(
    `an end is entered ${javaScriptEnabled ? 'in the time of its reader' : 'in UTC without scripts, and the page says so'}`,
    async ({ server, browser, account }) => {
      const { key } = account;
      const json = { url: 'https://example.org/', expiresAt: '2099-01-01T10:30:20Z' };
      const { uniqueId } = (await server.request('POST', '/url/create', { key, json })).body;
      const { page, close } = await openPage(browser, server, {
        javaScriptEnabled,
        timezoneId: 'America/New_York',
      });
      await signIn(page, account);
      const expiresAt = async () =>
        (await server.request('GET', `/url/get/${uniqueId}`, { key })).body.message.expiresAt;
      const save = async (change: () => Promise<void>) => {
        await page.goto(`/web/edit/url/${uniqueId}`);
        await change();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved.').waitFor();
      };
      await save(async () => {
        assert.is(
          await page.getByLabel('Expires').inputValue(),
          javaScriptEnabled ? '2099-01-01T05:30' : '2099-01-01T10:30',
        );
        assert.is(await page.getByText('UTC').count(), javaScriptEnabled ? 0 : 2);
      });
      assert.is(await expiresAt(), '2099-01-01T10:30:20.000Z', 'what nobody touched stays');
      await save(() => page.getByLabel('Expires').fill(entered));
      assert.is(await expiresAt(), `${kept}:00.000Z`);
      await close();
    },
  );

for (const [javaScriptEnabled, end] of [
  [true, '2099-06-15T14:59:59.999Z'],
  [false, '2099-06-15T23:59:59.999Z'],
] as const)
  check(
    `a last day is one of ${javaScriptEnabled ? 'its reader' : 'UTC without scripts, and the page says so'}`,
    async ({ server, browser, account }) => {
      const { key } = account;
      const { page, faults, close } = await openPage(browser, server, {
        javaScriptEnabled,
        timezoneId: 'Asia/Tokyo',
      });
      await signIn(page, account);
      const expires = page.getByLabel('Expires');
      const ends = async () => {
        const { body } = await server.request('GET', '/user/get/@me/keys', { key });
        return body.message.content.map(({ expiresAt }: { expiresAt: string | null }) => expiresAt);
      };
      await page.goto('/web/settings/security/keys');
      assert.is(await page.getByText('UTC').count(), javaScriptEnabled ? 0 : 1);
      await page.getByLabel('Name').fill('until then');
      await page.getByLabel('see pastes').check();
      await expires.fill('2099-06-15');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('link', { name: 'I have saved it' }).click();
      assert.equal(await ends(), [end]);
      await page.getByRole('link', { name: 'until then' }).click();
      assert.is(await expires.inputValue(), '2099-06-15');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      assert.equal(await ends(), [end], 'what nobody touched stays');
      assert.equal(faults, []);
      await close();
    },
  );

run();
