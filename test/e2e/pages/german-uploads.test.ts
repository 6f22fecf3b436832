/** What uploads, folders and request pages say to a German reader: not a word of English, whatever happens. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fileForm } from '../../harness.js';
import { openGerman } from '../../support/web/german.js';
import { pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('uploads in German', { MAX_UPLOAD_BYTES: '20971520' });
/** A file of 9 MB is on its way for a minute. */
const SLOW = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 150 * 1024 };

const textFile = (name: string, content = name) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

/** A folder with these files, as long as `work` needs it. */
async function withFolder(
  files: Readonly<Record<string, string | Buffer>>,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'holdall-ordner-'));
  try {
    const folder = join(root, 'Urlaub');
    await mkdir(folder);
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    await work(folder);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const choose = (page: Page, ...names: readonly string[]) =>
  page.locator('input[type=file]').setInputFiles(names.map((name) => textFile(name)));

check('uploads, their refusals, a lost line and a server that asks to wait', async (place) => {
  const { page, done } = await openGerman(place);
  await page.goto('/web/image-upload');
  await choose(page, 'eins.txt', 'zwei.txt');
  await page.getByText('2 von 2 hochgeladen').first().waitFor();
  await page.getByRole('button', { name: 'Link kopieren' }).first().click();
  await page.locator('.toasts p').waitFor();

  const { body } = await place.server.request('POST', '/image/upload', {
    key: place.account.key,
    form: fileForm('schon da', 'alt.txt', {}, 'text/plain'),
  });
  await page.locator('.more > summary').first().click();
  await page.locator('[name=uniqueId]').fill(body.uniqueId);
  await choose(page, 'drei.txt');
  await page.getByText('Bereits vergeben, wählen Sie eine andere').waitFor();
  await page.locator('[name=uniqueId]').fill('');

  let answer: 'lost' | 'later' | 'strange' | 'signed out' = 'lost';
  await page.route('**/v1/image/upload', (route) => {
    if (answer === 'lost') return route.abort();
    if (answer === 'strange') return route.fulfill({ status: 502, body: 'x' });
    const json = { error: true, uniqueId: null, message: 'Zu viele', count: 0 };
    return route.fulfill({
      status: answer === 'later' ? 429 : 401,
      json,
      headers: answer === 'later' ? { 'retry-after': '600' } : {},
    });
  });
  await choose(page, 'vier.txt');
  await page.getByText('Die Verbindung ist abgebrochen').waitFor();
  answer = 'strange';
  await choose(page, 'fünf.txt');
  await page.getByText('Der Server hat unerwartet geantwortet').waitFor();
  answer = 'signed out';
  await choose(page, 'sechs.txt');
  await page.getByText('Melden Sie sich in einem neuen Tab an').waitFor();
  answer = 'later';
  await choose(page, 'sieben.txt');
  await page.getByText('Es geht in 600 s automatisch weiter').waitFor();
  await page.locator('li.waiting [data-cancel]').click();
  await page.getByText('Abgebrochen', { exact: true }).waitFor();
  await done('2 von 7 hochgeladen, 4 nicht', 'Beginnt');
});

check('a large file is paused, continued and given up', async (place) => {
  const { page, done } = await openGerman(place);
  await withFolder({ 'groß.bin': Buffer.alloc(9 * 1024 * 1024) }, async (folder) => {
    await page.goto('/web/image-upload');
    const line = await page.context().newCDPSession(page);
    await line.send('Network.emulateNetworkConditions', SLOW);
    await page.locator('input[type=file]').setInputFiles(join(folder, 'groß.bin'));
    await page.getByRole('button', { name: 'Pausieren' }).click();
    await page.getByText('Pausiert').waitFor();
    await page.getByRole('button', { name: 'Fortsetzen' }).click();
    await page.getByRole('button', { name: 'Abbrechen' }).click();
    await page.getByText('Abgebrochen', { exact: true }).waitFor();
  });
  await done('Wird hochgeladen');
});

check('a folder that is compared, and sent as far as it can be', async (place) => {
  const { page, done } = await openGerman(place);
  const form = fileForm('schon da', 'alt.txt', {}, 'text/plain');
  await place.server.request('POST', '/image/upload', { key: place.account.key, form });
  const files = {
    'neu.txt': 'neu',
    'noch.txt': 'noch eins',
    'zwilling.txt': 'neu',
    'alt.txt': 'schon da',
    'leer.txt': '',
    'riesig.bin': Buffer.alloc(20_971_521),
  };
  await withFolder(files, async (folder) => {
    await page.goto('/web/image-upload');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Ordner auswählen' }).click();
    await (await chooser).setFiles(folder);
    await page.getByText('2 Dateien zum Hochladen').waitFor();
    await page.getByText('4 Dateien werden nicht gesendet').click();
    let refused = 0;
    await page.route('**/v1/image/upload', (route) => {
      refused += 1;
      const json = { error: true, uniqueId: null, message: 'Gesperrt', count: 0 };
      return refused === 1 ? route.fulfill({ status: 400, json }) : route.continue();
    });
    await page.getByRole('button', { name: 'Ordner hochladen' }).click();
    await page.getByText('Einige Dateien fehlen').waitFor();
    await page.getByText('1 Datei konnte nicht hochgeladen werden').click();
    await page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await page.getByText('Alle Dateien sind in der Sammlung').waitFor();
  });
  await done(
    '6 Dateien werden mit Ihren verglichen',
    'verglichen',
    'alt.txt: haben Sie schon',
    'gleich wie neu.txt, ausgelassen',
    'leer.txt: leer, ausgelassen',
    'riesig.bin: zu groß, ausgelassen',
  );
});

check('files that answer a request link', async (place) => {
  const { server, account } = place;
  const { body } = await server.request('POST', '/request/create', {
    key: account.key,
    json: { title: 'Belege' },
  });
  const { page, done } = await openGerman(place);
  await page.goto(`/web/request/${body.message.uniqueId}`);
  await choose(page, 'eins.txt');
  await page.getByText('Empfangen: eins.txt').waitFor();
  await page.route('**/resumable**', (route) => route.abort());
  await choose(page, 'zwei.txt');
  await page.getByText('Die Verbindung ist abgebrochen. Es geht weiter').waitFor();
  await page.unroute('**/resumable**');
  await page.getByText('2 Dateien wurden empfangen. Vielen Dank!').waitFor();
  await server.request('PATCH', `/request/get/${body.message.uniqueId}`, {
    key: account.key,
    json: { closed: true },
  });
  await choose(page, 'drei.txt');
  await page.getByText('Dieser Link nimmt keine Dateien mehr an').waitFor();
  await done('Wird verarbeitet');
});

run();
