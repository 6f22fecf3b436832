/** What is sealed, in a browser: opened with the key behind the #, a passphrase, or not at all. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import {
  type AgeKey,
  ageFile,
  ageFileWith,
  armored,
  newKey,
  opened,
  sealedNameFor,
} from '../../support/content/sealed.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, type Place, pageSuite } from '../../support/web/pages.js';
import { PIXEL } from '../../support/web/webhook.js';

const { check, run } = pageSuite('sealed');

/** Uploads an age file; returns its id. */
async function sent({ server, account }: Place, bytes: Uint8Array, fields: Record<string, string> = {}) {
  const form = fileForm(bytes, 'x.age', { sealed: 'true', ...fields });
  const made = await server.request('POST', '/image/upload', { key: account.key, form });
  assert.is(made.status, 200, made.text);
  return String(made.body.uniqueId);
}
async function sealedFile(place: Place, key: AgeKey, content: Uint8Array | string, name: object) {
  const sealedName = await sealedNameFor(key.recipient, name);
  return sent(place, await ageFile(key.recipient, content), { sealedName });
}
const pasted = async ({ server, account }: Place, key: AgeKey, text: string, name: object, more = {}) => {
  const json = {
    text: armored(await ageFile(key.recipient, text)),
    sealed: true,
    sealedName: await sealedNameFor(key.recipient, name),
    ...more,
  };
  const made = await server.request('POST', '/paste/create', { key: account.key, json });
  assert.is(made.status, 200, made.text);
  return String(made.body.uniqueId);
};
async function downloaded(page: Page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

check(
  'pictures, sound, code and Markdown are shown with the key of the address, and saved',
  async (place) => {
    const { server, browser } = place;
    const key = await newKey();
    const { page, faults, close } = await openPage(browser, server);
    const referers: string[] = [];
    page.on('request', (request) => referers.push(request.headers().referer ?? '', request.url()));
    const picture = await sealedFile(place, key, PIXEL, { name: 'a cat.png', type: 'image/png' });
    await page.goto(`/r/${picture}#${key.identity}`);
    await page.getByRole('heading', { name: 'a cat.png' }).waitFor();
    const image = page.locator('.sealed img');
    await image.waitFor();
    assert.ok(await image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth > 0));
    assert.equal(await downloaded(page), { name: 'a cat.png', bytes: Buffer.from(PIXEL) });
    assert.is(new URL(page.url()).hash, `#${key.identity}`);
    assert.not.match(await page.title(), /AGE|cat/);
    const links = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.sealed [data-opened] [data-copy]')].map(
        (e) => e.dataset.copy,
      ),
    );
    assert.equal(links, [
      `${server.origin}/web/image-render/${picture}#${key.identity}`,
      `${server.origin}/web/image-render/${picture}`,
    ]);
    await assertSound(page);
    const code = await pasted(place, key, 'const a = 1;\n/* b\n c */\n', {
      title: 'My code',
      language: 'javascript',
    });
    await page.goto(`/web/paste-render/${code}#${key.identity}`);
    await page.locator('.code .hljs-keyword').getByText('const').waitFor();
    assert.is(await page.locator('.code .line').count(), 3);
    assert.is(await page.locator('.code .hljs-comment').count(), 2);
    await assertSound(page);
    const prose = await pasted(place, key, '# Head\n\n- one\n- [two](https://x.example)\n\n<b>raw</b>', {
      name: 'a.md',
    });
    await page.goto(`/web/paste-render/${prose}#${key.identity}`);
    await page.getByRole('heading', { name: 'Head', level: 2 }).waitFor();
    assert.is(await page.locator('.prose li').count(), 2);
    assert.is(await page.locator('.prose b').count(), 0);
    await assertSound(page);
    assert.equal(faults, []);
    assert.not.match(referers.join(' '), /AGE-SECRET/);
    await close();
  },
);

check('a wrong key, cut and changed bytes are said, and nothing of the content is shown', async (place) => {
  const { server, browser } = place;
  const [key, other] = [await newKey(), await newKey()];
  const { page, faults, close } = await openPage(browser, server);
  const file = await ageFile(key.recipient, 'word '.repeat(40_000));
  const flipped = (at: number) => {
    const bytes = Buffer.from(file);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };
  // Another letter of base64, so that it is still a whole file for the server.
  const misspelt = (at: number) => {
    const bytes = Buffer.from(file);
    bytes.write(bytes.toString('latin1', at, at + 1) === 'A' ? 'B' : 'A', at, 'latin1');
    return bytes;
  };
  const payload = file.indexOf('\n', file.indexOf('---')) + 1 + 16;
  const cases = {
    header: misspelt(file.indexOf('---') + 6),
    first: flipped(payload + 10),
    last: flipped(file.length - 5),
    cut: file.subarray(0, payload + 2 * 65_552),
  };
  for (const [what, bytes] of Object.entries(cases)) {
    const id = await sent(place, bytes);
    await page.goto(`/web/image-render/${id}#${key.identity}`);
    await page.getByRole('alert').getByText('cut or changed').waitFor();
    assert.is(await page.locator('[data-shown]').textContent(), '', what);
    assert.not.ok(await page.getByRole('button', { name: 'Download', exact: true }).isVisible(), what);
  }
  const id = await sent(place, file);
  await page.goto(`/web/image-render/${id}#${other.identity}`);
  await page.getByText('This key does not open it').waitFor();
  // Another one can be typed.
  await page.getByLabel('Key or passphrase').fill(key.identity);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.locator('.code').getByText('word word').waitFor();
  assert.equal(faults, []);
  await close();
});

check('a passphrase is asked for; a paste that burns keeps the key through its question', async (place) => {
  const { server, browser, account } = place;
  const { page, faults, close } = await openPage(browser, server);
  const id = await sent(place, await ageFileWith('four words for you', 'told'));
  await page.goto(`/web/image-render/${id}`);
  await page.getByLabel('Key or passphrase').fill('another one');
  await page.keyboard.press('Enter');
  await page.getByText('This key does not open it').waitFor();
  await assertSound(page);
  await page.getByLabel('Key or passphrase').fill('four words for you');
  await page.keyboard.press('Enter');
  await page.locator('.code').getByText('told').waitFor();
  const key = await newKey();
  const burning = await pasted(place, key, 'once', {}, { burn: true, password: 'pass' });
  await page.goto(`/web/paste-render/${burning}#${key.identity}`);
  await page.getByLabel('Password').fill('pass');
  await page.keyboard.press('Enter');
  await page.locator('.code').getByText('once').waitFor();
  const counted = await sent(place, await ageFile(key.recipient, 'twice'), { maxViews: '2' });
  await page.goto(`/web/image-render/${counted}#${key.identity}`);
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.locator('.code').getByText('twice').waitFor();
  assert.equal((await downloaded(page)).bytes.toString(), 'twice');
  const info = await server.request('GET', `/image/info/${counted}`, { key: account.key });
  assert.is(info.body.message.views, 1, 'shown and saved, it counts once');
  assert.equal(faults, []);
  await close();
});

check('a share link and a sealed collection open with their key, which goes along', async (place) => {
  const { server, browser, account } = place;
  const key = await newKey();
  const ids = [
    await sealedFile(place, key, 'the first text', { name: 'one.txt' }),
    await sealedFile(place, key, 'the second text', { name: 'two.txt' }),
  ];
  const sealedName = await sealedNameFor(key.recipient, { title: 'Our papers' });
  const json = { sealed: true, sealedName, items: ids.map((uniqueId) => ({ uniqueId })) };
  const made = await server.request('POST', '/collection', { key: account.key, json });
  assert.is(made.status, 200, made.text);
  const { page, faults, close } = await openPage(browser, server);
  await page.goto(`/web/collection/${made.body.message.uniqueId}#${key.identity}`);
  await page.getByRole('heading', { name: 'Our papers' }).waitFor();
  await assertSound(page);
  await page.getByRole('link', { name: 'one.txt' }).click();
  await page.locator('.code').getByText('the first text').waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.locator('.code').getByText('the second text').waitFor();
  const link = await server.request('POST', `/image/get/${ids[0]}/links`, { key: account.key, json: {} });
  await page.goto(`${link.body.message.url}#${key.identity}`);
  await page.locator('.code').getByText('the first text').waitFor();
  assert.equal(faults, []);
  await close();
});

check('files and texts are sealed before they are sent, and their links open them', async (place) => {
  const { server, browser, account } = place;
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  const told: string[] = [];
  page.on('request', (request) =>
    told.push(request.postDataBuffer()?.toString('latin1') ?? '', request.url()),
  );
  const large = Buffer.alloc(20 * 1024 * 1024 + 5, 'planted words ');
  await page.goto('/web/image-upload');
  await page.locator('.more > summary').first().click();
  await page
    .getByLabel('Seal', { exact: true })
    .selectOption({ label: 'With a new key, which the link has' });
  await page.getByLabel('Description').fill('planted words');
  await assertSound(page);
  await page.locator('input[type=file]').setInputFiles([
    { name: 'planted words.bin', mimeType: 'application/octet-stream', buffer: large },
    { name: 'planted words.txt', mimeType: 'text/plain', buffer: Buffer.from('planted words') },
  ]);
  await page.locator('.queue li.done').nth(1).waitFor();
  const links = await page
    .locator('.queue [data-copy]')
    .evaluateAll((all) => all.map((each) => each.dataset.copy ?? ''));
  assert.is(links.length, 2);
  await page.goto('/web/paste-create');
  await page.getByText('Options').click();
  await page.getByLabel('Seal', { exact: true }).selectOption({ label: 'With a passphrase' });
  await page.getByLabel('Passphrase').fill('four words for you');
  await page.getByLabel('Title').fill('planted words');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('planted words\n');
  await assertSound(page);
  await page.getByRole('button', { name: 'Create paste' }).click();
  const made = page.locator('[data-sealed-made] a');
  await made.waitFor();
  const pasteLink = (await made.getAttribute('href')) ?? '';
  assert.not.match(told.join(' '), /planted|AGE-SECRET|four words/);
  assert.equal(faults, []);
  const reader = await openPage(browser, server);
  await reader.page.goto(links[0] ?? '');
  await reader.page.getByRole('heading', { name: 'planted words.bin' }).waitFor();
  assert.ok((await downloaded(reader.page)).bytes.equals(large));
  await reader.page.goto(links[1] ?? '');
  await reader.page.locator('.code').getByText('planted words').waitFor();
  await reader.page.goto(pasteLink);
  await reader.page.getByLabel('Key or passphrase').fill('four words for you');
  await reader.page.keyboard.press('Enter');
  await reader.page.locator('.code').getByText('planted words').waitFor();
  assert.equal(reader.faults, []);
  await reader.close();
  await close();
});

check('what guests send to a sealed request is sealed to its owner', async (place) => {
  const { server, browser, account } = place;
  const key = await newKey();
  const json = { title: 'Papers', recipient: key.recipient };
  const request = await server.request('POST', '/request/create', { key: account.key, json });
  const id = request.body.message.uniqueId;
  const { page, faults, close } = await openPage(browser, server);
  await page.goto(`/web/request/${id}`);
  await page.getByText('Sealed: only who has the key').waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'mine.txt', mimeType: 'text/plain', buffer: Buffer.from('for you alone') });
  await page.locator('.queue li.done').waitFor();
  const files = await server.request('GET', `/request/get/${id}/files`, { key: account.key });
  const [file] = files.body.message.content;
  assert.ok(file.sealed);
  assert.match(await opened(key.identity, Buffer.from(file.sealedName, 'base64')), /"name":"mine.txt"/);
  assert.equal(faults, []);
  await close();
});

check(
  'an own key opens what is sealed to oneself and what guests send, and has a recovery text',
  async (place) => {
    const { server, browser, account } = place;
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto('/web/settings/seal');
    await page.getByText('loses everything that was sealed').waitFor();
    await assertSound(page);
    await page.getByLabel('New passphrase').fill('four words for me');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const secret = page.locator('#secret');
    await secret.getByText('AGE-SECRET-KEY-1').waitFor();
    const recovery = await secret.textContent();
    await page.reload();
    await page.getByLabel('Passphrase').fill('four words for me');
    await page.getByRole('button', { name: 'Show the recovery text' }).click();
    await secret.getByText('AGE-SECRET-KEY-1').waitFor();
    assert.is(await secret.textContent(), recovery);
    await assertSound(page);
    await page.goto('/web/requests');
    await page.getByLabel('What do you ask for?').fill('Papers');
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Sealed').check();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.waitForURL(/requests\/\w/);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    const kept = await server.request('GET', '/user/get/@me/seal', { key: account.key });
    const { recipient } = kept.body.message;
    const sealedName = await sealedNameFor(recipient, { name: 'guest.txt' });
    const form = fileForm(await ageFile(recipient, 'from a guest'), 'x', { sealedName });
    await server.request('POST', `/request/open/${id}/files`, { form });
    await page.reload();
    await page.getByLabel('Key or passphrase').fill('four words for me');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'guest.txt' }).click();
    await page.getByLabel('Key or passphrase').fill('four words for me');
    await page.keyboard.press('Enter');
    await page.locator('.code').getByText('from a guest').waitFor();
    await page.goto('/web/collections');
    await page.locator('summary', { hasText: 'New collection' }).click();
    await page.getByLabel('Title').fill('Sealed papers');
    await page.getByLabel('Sealed', { exact: true }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Sealed papers' }).waitFor();
    await page.locator('#public').getByText('age1').waitFor();
    await assertSound(page);
    const opening = page.url();
    await page.getByRole('link', { name: 'Upload sealed files' }).click();
    const seal = page.getByLabel('Seal', { exact: true });
    await seal.waitFor();
    const text = { name: 'ours.txt', mimeType: 'text/plain', buffer: Buffer.from('for all of us') };
    await seal.selectOption('');
    await page.locator('input[type=file]').setInputFiles(text);
    await page.getByText('A sealed collection takes sealed files only').waitFor();
    await seal.selectOption('to');
    await page.locator('input[type=file]').setInputFiles(text);
    await page.locator('.queue li.done').waitFor();
    await page.goto(opening);
    await page.reload();
    await page.getByRole('link', { name: 'ours.txt' }).click();
    await page.locator('.code').getByText('for all of us').waitFor();
    assert.equal(faults, []);
    await close();
  },
);

check('without scripts the two commands are named', async (place) => {
  const { server, browser } = place;
  const key = await newKey();
  const id = await sealedFile(place, key, 'x', { name: 'x.txt' });
  const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await page.goto(`/web/image-render/${id}`);
  await page.getByText('Open it without this page').click();
  assert.match(await page.getByRole('textbox', { name: 'With Holdall' }).inputValue(), /^holdall get '/);
  assert.match(await page.getByRole('textbox', { name: 'With age' }).inputValue(), /^curl .* \| age -d/);
  await close();
});

run();
